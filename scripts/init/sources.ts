/** The sources of `forgeline-init`, and what tells that its binaries were made of them. */
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { join } from "node:path";

export const initDirectory = fileURLToPath(new URL("../../runner/init", import.meta.url));
export const zigRequirements = fileURLToPath(new URL("zig-requirements.txt", import.meta.url));
export const generatedBinaries = join(initDirectory, "generated", "binaries.ts");

/** What is given to the compiler, beside target, sources and output. */
export const compilerArguments = [
  ..."-static -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -Wshadow -Werror -Os -s".split(" "),
  ..."-fstack-protector-strong -ffunction-sections -Wl,--gc-sections".split(" "),
];

/** Paths of the C files, and of all that the binaries depend on. */
export async function initSources(): Promise<{ units: string[]; all: string[] }> {
  const names = (await readdir(initDirectory)).filter((name) => /\.[ch]$/.test(name)).toSorted();
  const all = names.map((name) => join(initDirectory, name));
  return { units: all.filter((path) => path.endsWith(".c")), all };
}

/** Of sources, compiler and its arguments, in hexadecimal. */
export async function sourcesSha256(): Promise<string> {
  const hash = createHash("sha256").update(compilerArguments.join(" "));
  for (const path of [zigRequirements, ...(await initSources()).all]) hash.update(await readFile(path));
  return hash.digest("hex");
}
