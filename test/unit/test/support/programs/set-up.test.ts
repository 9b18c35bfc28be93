/** What `npm test` does about programs that are missing, on machines that are directories of empty programs. */
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { installHint, neededPrograms, type NeededName } from "../../../../support/programs/needed.ts";
import { needs } from "../../../../support/programs/needs.ts";
import { missingPrograms, setUpPrograms } from "../../../../support/programs/set-up.ts";

/** Not of those that lie where no PATH has to lead. */
const some = ["strace", "curl", "docker", "git"] as const;
let directory: string;
let said: string[];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "forgeline-programs-"));
  said = [];
  for (const name of Object.keys(neededPrograms)) await program(name, "exit 0");
});
afterEach(() => rm(directory, { recursive: true }));

async function program(name: string, script: string): Promise<void> {
  await writeFile(join(directory, name), `#!/bin/sh\n${script}\n`);
  await chmod(join(directory, name), 0o755);
}
const without = (...names: NeededName[]) => Promise.all(names.map((name) => rm(join(directory, name))));
const env = () => ({ PATH: directory });
const setUp = (mayInstall: boolean) =>
  setUpPrograms({ env: env(), say: (line) => void said.push(line), mayInstall });

/** Of a machine that has these packages to install. */
async function aptGet(packages: Record<string, NeededName[]>): Promise<void> {
  const cases = Object.entries(packages).map(
    ([name, programs]) =>
      `${name}) ${programs.map((each) => `/bin/cp ${directory}/ps ${directory}/${each}`).join("; ")} ;;`,
  );
  const words = '*" update "*) exit 0 ;; esac\nfor word; do case "$word" in';
  const known = `${cases.join("\n")}\n-*|*=*|install) ;;\n*) echo "E: Unable to locate package $word" >&2; exit 100 ;;`;
  await program("apt-get", `echo "$*" >> ${directory}/log\ncase " $* " in ${words}\n${known}\nesac; done`);
}
const installs = async () => {
  const lines = (await readFile(join(directory, "log"), "utf8")).split("\n");
  return lines.flatMap((line) => / --no-install-recommends (.*)/.exec(line)?.[1] ?? []);
};

describe("programs that are missing", () => {
  it("are none where all are there, and nothing is said or installed", async () => {
    await setUp(true);
    expect(said.filter((line) => !line.startsWith("not root"))).toEqual([]);
  });

  it("are installed at once by one apt-get", async () => {
    await without("strace", "curl");
    await aptGet({ strace: ["strace"], curl: ["curl"] });
    await setUp(true);
    expect(await installs()).toEqual(["curl strace"]);
    expect(await missingPrograms(env())).toEqual([]);
    expect(said).toContain("installing curl, strace with apt-get (once)");
  });

  it("are installed from the next package that may have them", async () => {
    await without("docker");
    await aptGet({ "docker.io": [], "docker-cli": ["docker"] });
    await setUp(true);
    expect(await installs()).toEqual(["docker.io", "docker-cli"]);
    expect(await missingPrograms(env())).toEqual([]);
  });

  it("are installed one by one where a package is not to be had, which is named", async () => {
    await without("strace", "curl");
    await aptGet({ curl: ["curl"] });
    await setUp(true);
    expect(await installs()).toEqual(["curl strace", "curl", "strace"]);
    expect(await missingPrograms(env())).toEqual(["strace"]);
    expect(said).toContain(installHint("strace"));
    expect(said.join("\n")).toContain("Unable to locate package strace");
  });

  it("are named with what installs them where we may not", async () => {
    await without(...some);
    await setUp(false);
    for (const name of some) expect(said).toContain(installHint(name));
    expect(said.join("\n")).toContain("--no-install-recommends curl docker.io git strace");
    expect(said.at(-1)).toBe("tests that need what is missing fail");
  });

  it("are missing also where only a part of them is there", async () => {
    await program("python3", "exit 1");
    expect(await missingPrograms(env())).toEqual(["python3"]);
  });
});

describe("a test that needs one", () => {
  const path = process.env["PATH"];
  afterEach(() => void (process.env["PATH"] = path));

  it("fails with the same words", async () => {
    await without("strace");
    process.env["PATH"] = directory;
    needs("curl");
    expect(() => needs("curl", "strace")).toThrow(installHint("strace"));
  });
});
