/** The binaries of `forgeline-init` that the runner carries are made of the sources beside them. */
import { execFile } from "node:child_process";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { initBinaries, initSourcesSha256 } from "@forgeline/runner/init/generated/binaries.ts";
import { installInit } from "@forgeline/runner/init/program.ts";
import { sourcesSha256 } from "../../scripts/init/sources.ts";

const run = promisify(execFile);
let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "forgeline-init-"));
});
afterAll(() => rm(directory, { recursive: true }));

test("they were built of these sources, by this compiler with these arguments (else: npm run init:build)", async () => {
  expect(initSourcesSha256).toBe(await sourcesSha256());
});

test.each([
  ["x64", 0x3e],
  ["arm64", 0xb7],
])("the one for %s is a static program for that processor", (arch, machine) => {
  const program = gunzipSync(Buffer.from(initBinaries[arch] ?? "", "base64"));
  expect(program.subarray(0, 4).toString("latin1")).toBe("\x7fELF");
  expect(program.readUInt16LE(18)).toBe(machine);
  // Types of the program headers: 2 and 3 are those of a dynamic program.
  const headers = Array.from({ length: program.readUInt16LE(56) }, (_, index) =>
    program.readUInt32LE(Number(program.readBigUInt64LE(32)) + index * program.readUInt16LE(54)),
  );
  expect(headers).toContain(1);
  expect(headers.filter((type) => type === 2 || type === 3)).toEqual([]);
});

test("this machine's runs, and is executable by everyone", async () => {
  const path = await installInit(directory);
  expect((await stat(path)).mode & 0o777).toBe(0o755);
  await expect(run(path, ["what"])).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining("usage:"),
  });
});
