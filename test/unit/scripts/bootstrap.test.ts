/** When `npm start` installs: a checkout of its own, whose `npm` only notes that it was called. */
import { execFile, spawn } from "node:child_process";
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";

import { eventually } from "../../support/eventually.ts";

const stopRequest = join(import.meta.dirname, "../../../launcher/stop-request.ts");
const source = join(import.meta.dirname, "../../../scripts/bootstrap.mjs");
const wanted = {
  "": { name: "forgeline" },
  cli: { name: "@forgeline/cli", version: "0.1.0" },
  "node_modules/one": { version: "1.0.0", integrity: "sha512-one" },
  "node_modules/for-macs": { version: "1.0.0", integrity: "sha512-mac", optional: true },
};
const { "": _root, "node_modules/for-macs": _optional, ...installed } = wanted;

let checkout: string;

beforeEach(async () => {
  checkout = await mkdtemp(join(tmpdir(), "forgeline-bootstrap-"));
  for (const name of ["scripts", "node_modules"]) await mkdir(join(checkout, name));
  await copyFile(source, join(checkout, "scripts", "bootstrap.mjs"));
  await writeFile(join(checkout, "program.ts"), "console.log('runs', ...process.argv.slice(2));");
  await writeFile(
    join(checkout, "npm.cjs"),
    `const fs = require("node:fs");
     console.log("npm", process.argv[2]);
     if (process.env.NPM_FAILS) process.exit(5);
     fs.writeFileSync("node_modules/.package-lock.json", ${JSON.stringify(JSON.stringify({ packages: installed }))});`,
  );
  await lock(wanted);
});
afterEach(() => rm(checkout, { recursive: true }));

const lock = (packages: object) =>
  writeFile(join(checkout, "package-lock.json"), JSON.stringify({ packages }));
const npmLeft = (packages: object) =>
  writeFile(join(checkout, "node_modules", ".package-lock.json"), JSON.stringify({ packages }));

function start(env: Record<string, string> = {}): Promise<{ code: number; said: string }> {
  const args = ["scripts/bootstrap.mjs", "program.ts", "--flag"];
  const settings = { cwd: checkout, env: { PATH: process.env["PATH"], npm_execpath: "npm.cjs", ...env } };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, args, settings, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode ?? 1, said: stdout + stderr }),
    );
  });
}

it("installs once in a fresh checkout, and runs the program with its arguments", async () => {
  const first = await start();
  expect(first.said).toMatch(/^dependencies .*\nnpm ci\nruns --flag\n$/);
  expect(first.code).toBe(0);
  expect((await start()).said).toBe("runs --flag\n");
});

it("takes what somebody has installed by hand", async () => {
  await npmLeft(installed);
  expect((await start()).said).toBe("runs --flag\n");
});

it("installs again when the lock file names another version, or one more package", async () => {
  await npmLeft({ ...installed, "node_modules/one": { version: "0.9.0", integrity: "sha512-old" } });
  expect((await start()).said).toContain("npm ci");
  await lock({ ...wanted, "node_modules/two": { version: "1.0.0", integrity: "sha512-two" } });
  expect((await start()).said).toContain("npm ci");
});

it("ends with npm's status when that fails, and tries again next time", async () => {
  const failed = await start({ NPM_FAILS: "1" });
  expect(failed.code).toBe(5);
  expect(failed.said).toContain("npm ci failed");
  expect(failed.said).not.toContain("runs");
  await expect(readFile(join(checkout, "node_modules", ".package-lock.json"))).rejects.toMatchObject({
    code: "ENOENT",
  });
  expect((await start()).said).toContain("runs --flag");
});

it("ends in order what stays up when it is killed itself, and nothing that goes on in the background", async () => {
  await npmLeft(installed);
  const stop = (withStarter: boolean) => `listenForStop({ withStarter: ${withStarter} }).signal`;
  await writeFile(
    join(checkout, "program.ts"),
    `import { writeFileSync } from "node:fs";
     import { listenForStop } from ${JSON.stringify(stopRequest)};
     const [stays, background] = [${stop(true)}, ${stop(false)}];
     setInterval(() => undefined, 1000);
     stays.addEventListener("abort", () => {
       writeFileSync("ended", JSON.stringify([stays.aborted, background.aborted]));
       process.exit();
     });
     console.log("up");`,
  );
  const starter = spawn(process.execPath, ["scripts/bootstrap.mjs", "program.ts"], {
    cwd: checkout,
    env: { PATH: process.env["PATH"] },
    stdio: ["ignore", "pipe", "inherit"],
  });
  await new Promise((resolve) => starter.stdout.once("data", resolve));
  starter.kill("SIGKILL");
  const ended = () => readFile(join(checkout, "ended"), "utf8").catch(() => "");
  expect(await eventually(async () => (await ended()) || undefined)).toBe("[true,false]");
});
