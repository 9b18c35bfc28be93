/**
 * `forgeline trust`: puts the instance's certificate authority where this machine's programs look: the system's store
 * (as root, on Debian's layout), Chromium's and Firefox's through `certutil`, and Git for this address alone.
 */
import { execFile } from "node:child_process";
import { access, copyFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Command, Option } from "commander";
import { gitLooksElsewhere } from "../connection/git-authority.ts";
import { contextOf } from "../context.ts";
import { UsageError } from "../connection/settings.ts";

const run = promisify(execFile);
const name = "forgeline-development-authority";

export function trustCommand(): Command {
  return new Command("trust")
    .description("Make this machine's browsers and Git accept the instance's certificate")
    .addOption(
      new Option("--only <where>", "change one place instead of all").choices(["git", "system", "browsers"]),
    )
    .action(async ({ only }: { only?: string }, command: Command) => {
      const { connection, print } = await contextOf(command);
      const { caFile, url } = connection;
      if (!caFile) throw new UsageError(`${url} has no development authority that could be trusted`);
      const places: Record<string, () => Promise<Outcome>> = {
        git: () => trustInGit(url, caFile),
        system: () => trustInSystem(caFile),
        browsers: () => trustInBrowsers(caFile),
      };
      const outcomes: Outcome[] = [];
      for (const [where, trust] of Object.entries(places))
        if (only === undefined || only === where) outcomes.push(await trust());
      print(outcomes, () =>
        outcomes.map((o) => `${o.where.padEnd(10)} ${o.done ? "trusts it now" : o.instead}`).join("\n"),
      );
    });
}

interface Outcome {
  where: string;
  done: boolean;
  instead?: string;
}

async function trustInGit(url: string, caFile: string): Promise<Outcome> {
  try {
    await run("git", ["config", "--global", `http.${url}/.sslCAInfo`, caFile]);
    const instead = gitLooksElsewhere(caFile);
    return instead === null ? { where: "git", done: true } : { where: "git", done: false, instead };
  } catch (error) {
    return { where: "git", done: false, instead: `could not be told: ${(error as Error).message}` };
  }
}

async function trustInSystem(caFile: string): Promise<Outcome> {
  const directory = "/usr/local/share/ca-certificates";
  const target = join(directory, `${name}.crt`);
  try {
    await access("/usr/sbin/update-ca-certificates");
    await copyFile(caFile, target);
    await run("/usr/sbin/update-ca-certificates", []);
    return { where: "system", done: true };
  } catch {
    return {
      where: "system",
      done: false,
      instead: `needs root and ca-certificates: sudo cp ${caFile} ${target} && sudo update-ca-certificates`,
    };
  }
}

async function trustInBrowsers(caFile: string): Promise<Outcome> {
  const database = `sql:${join(homedir(), ".pki", "nssdb")}`;
  try {
    await run("mkdir", ["-p", join(homedir(), ".pki", "nssdb")]);
    await run("certutil", ["-d", database, "-L"]).catch(() =>
      run("certutil", ["-d", database, "-N", "--empty-password"]),
    );
    await run("certutil", ["-d", database, "-A", "-t", "C,,", "-n", name, "-i", caFile]);
    return { where: "browsers", done: true };
  } catch {
    return {
      where: "browsers",
      done: false,
      instead: `need certutil (Debian: libnss3-tools), or import ${caFile} in the browser's settings`,
    };
  }
}
