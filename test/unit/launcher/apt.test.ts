/** How packages are installed, with an `apt-get` that writes down what it is asked. */
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { installPackages } from "@forgeline/launcher/apt.ts";

let directory: string;
let said: string[];
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "forgeline-apt-"));
  said = [];
});
afterEach(() => rm(directory, { recursive: true }));

async function aptGet(script: string): Promise<void> {
  const file = join(directory, "apt-get");
  await writeFile(file, `#!/bin/sh\necho "$DEBIAN_FRONTEND $*" >> ${directory}/asked\n${script}\n`);
  await chmod(file, 0o755);
}
const asked = async () => (await readFile(join(directory, "asked"), "utf8")).trim().split("\n");
const install = (...packages: string[]) =>
  installPackages(packages, { env: { PATH: directory }, say: (line) => void said.push(line), retryMs: 1 });

it("reads the lists, then installs all at once, and asks nothing", async () => {
  await aptGet("exit 0");
  await install("curl", "strace");
  const lines = await asked();
  expect(lines).toHaveLength(2);
  expect(lines[0]).toMatch(/^noninteractive .* update -qq$/);
  expect(lines[1]).toMatch(/DPkg::Lock::Timeout=\d+ .* install -y -qq --no-install-recommends curl strace$/);
  expect(said).toEqual(["installing curl, strace with apt-get (once)"]);
});

it("waits for another apt-get that reads the lists, and says so once", async () => {
  const locked = "E: Could not get lock /var/lib/apt/lists/lock. It is held by process 7 (apt-get)";
  await aptGet(
    `[ "$(/bin/grep -c update ${directory}/asked)" -gt 3 ] || { echo "${locked}" >&2; exit 100; }`,
  );
  await install("curl");
  expect(await asked()).toHaveLength(5);
  expect(said.filter((line) => line.includes("another apt-get"))).toHaveLength(1);
});

it("fails with what apt-get says", async () => {
  await aptGet('echo "E: Unable to locate package crul" >&2; exit 100');
  await expect(install("crul")).rejects.toThrow("Unable to locate package crul");
  expect(await asked()).toHaveLength(1);
});
