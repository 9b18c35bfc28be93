/** The programs that `node_modules/.bin` has: package files and lock file agree, and any Node from 20 on can start them. */
import { execFile } from "node:child_process";
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const checkout = join(import.meta.dirname, "../..");
/** Makes a Node believe that it is an older one. */
const pretend = "data:text/javascript,Object.defineProperty(process.versions,'node',{value:'20.19.0'})";

interface Answer {
  code: number;
  stdout: string;
  stderr: string;
}

function start(script: string, args: string[], nodeArgs: string[] = []): Promise<Answer> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [...nodeArgs, script, ...args], (_error, stdout, stderr) =>
      resolve({ code: child.exitCode ?? 1, stdout, stderr }),
    );
  });
}

describe.each([
  ["cli", "forgeline", "Usage: forgeline"],
  ["runner", "forgeline-runner", "usage: forgeline-runner"],
])("%s", (room, name, usage) => {
  const source = join(checkout, room, "bin.mjs");
  let place: string;

  beforeEach(async () => {
    place = await mkdtemp(join(tmpdir(), "forgeline-program-"));
    await copyFile(source, join(place, "bin.mjs"));
  });
  afterEach(() => rm(place, { recursive: true }));

  it("is named alike by package and lock file", async () => {
    const manifest = JSON.parse(await readFile(join(checkout, room, "package.json"), "utf8")) as {
      bin: Record<string, string>;
    };
    const lock = JSON.parse(await readFile(join(checkout, "package-lock.json"), "utf8")) as {
      packages: Record<string, { bin?: Record<string, string> }>;
    };
    expect(manifest.bin).toEqual({ [name]: "./bin.mjs" });
    expect(lock.packages[room]?.bin).toEqual({ [name]: "bin.mjs" });
  });

  it("runs on this Node, which is new enough", async () => {
    const { code, stdout } = await start(source, ["--help"]);
    expect(stdout).toContain(usage);
    expect(code).toBe(0);
  });

  it("goes over to the Node beside it on an older one, with its arguments and exit status", async () => {
    const beside = join(place, "node_modules", `node-${process.platform}-${process.arch}`);
    await mkdir(join(beside, "bin"), { recursive: true });
    await writeFile(join(beside, "package.json"), "{}");
    await writeFile(join(beside, "bin", "node"), '#!/bin/sh\necho "beside: $@"\nexit 3\n');
    await chmod(join(beside, "bin", "node"), 0o755);
    const { code, stdout } = await start(join(place, "bin.mjs"), ["one", "two words"], ["--import", pretend]);
    expect(stdout).toMatch(/^beside: .*\/main\.ts one two words\n$/);
    expect(code).toBe(3);
  });

  it("says what to do on an older one with none beside it", async () => {
    const { code, stderr } = await start(join(place, "bin.mjs"), [], ["--import", pretend]);
    expect(stderr).toMatch(new RegExp(`^${name} needs Node 24 or newer: [^\\n]*npm ci[^\\n]*\\n$`));
    expect(code).toBe(1);
  });
});
