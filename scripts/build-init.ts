/**
 * Builds `forgeline-init` (`runner/init/*.c`) for each processor that a runner may have, and writes the binaries into
 * `runner/init/generated/binaries.ts`. The compiler is Zig's, of PyPI, at the version in `scripts/init/zig-requirements.txt`:
 * it brings the C library for every processor along, and gives the same bytes everywhere. With `--check` nothing is
 * written, and the program fails where the bytes differ from those that are there.
 */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { run } from "@forgeline/launcher/run.ts";
import {
  compilerArguments,
  generatedBinaries,
  initDirectory,
  initSources,
  sourcesSha256,
  zigRequirements,
} from "./init/sources.ts";
import { ensureProgram } from "./python/environment.ts";

/** Names as Node has them in `process.arch`. */
const targets = { x64: "x86_64-linux-musl", arm64: "aarch64-linux-musl" };

const cache = process.env["FORGELINE_CACHE"] ?? join(homedir(), ".cache", "forgeline");
const say = (line: string) => process.stderr.write(`${line}\n`);
const environment = { name: "zig", requirementsFile: zigRequirements, program: "python" };

async function binary(python: string, target: string, directory: string): Promise<string> {
  const output = join(directory, target);
  // By their names alone: a path would stand in the binary.
  const units = (await initSources()).units.map((path) => path.slice(initDirectory.length + 1));
  const args = ["-m", "ziglang", "cc", "-target", target, ...compilerArguments, ...units, "-o", output];
  await run(python, args, { cwd: initDirectory });
  return gzipSync(await readFile(output), { level: 9 }).toString("base64");
}

const python = await ensureProgram(environment, cache, say);
const directory = await mkdtemp(join(tmpdir(), "forgeline-init-"));
const entries: string[] = [];
try {
  for (const [arch, target] of Object.entries(targets))
    entries.push(`  ${arch}: "${await binary(python, target, directory)}",`);
} finally {
  await rm(directory, { recursive: true, force: true });
}
const text = [
  "/** Made by `npm run init:build`; each binary is gzip in base64. */",
  `export const initSourcesSha256 = "${await sourcesSha256()}";`,
  "export const initBinaries: Readonly<Record<string, string>> = {",
  ...entries,
  "};",
  "",
].join("\n");
if (!process.argv.includes("--check")) await writeFile(generatedBinaries, text);
else if ((await readFile(generatedBinaries, "utf8")) !== text) {
  say(`${generatedBinaries} is out of date: run \`npm run init\``);
  process.exitCode = 1;
}
