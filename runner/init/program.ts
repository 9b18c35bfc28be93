/**
 * `forgeline-init`, the program of our own that is process 1 of the containers which run steps, and which walks trees of
 * files that jobs made. Its C sources lie beside this file; what the runner carries is built by `npm run init:build`.
 */
import { createHash } from "node:crypto";
import { chmod, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { initBinaries } from "./generated/binaries.ts";

/** The program for this machine's processor. Throws where there is none. */
export function initProgram(): Buffer {
  const packed = process.platform === "linux" ? initBinaries[process.arch] : undefined;
  if (packed === undefined)
    throw new Error(
      `This machine (${process.platform}, ${process.arch}) cannot run jobs: they require Linux on ${Object.keys(initBinaries).join(" or ")}.`,
    );
  return gunzipSync(Buffer.from(packed, "base64"));
}

const placing = new Map<string, Promise<string>>();

/** Puts the program into the directory, and answers with its path. One that exists already is compared, not trusted. */
export function installInit(directory: string): Promise<string> {
  let placed = placing.get(directory);
  if (placed === undefined) {
    placed = place(directory);
    placing.set(directory, placed);
    placed.catch(() => placing.delete(directory));
  }
  return placed;
}

async function place(directory: string): Promise<string> {
  const program = initProgram();
  const name = `forgeline-init-${createHash("sha256").update(program).digest("hex").slice(0, 12)}`;
  const path = join(directory, name);
  const there = await readFile(path).catch(() => null);
  if (there?.equals(program) !== true) {
    // Those above it are the runner's alone; what containers see of it is the file.
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const fresh = `${path}.${process.pid}`;
    await writeFile(fresh, program, { mode: 0o755 });
    await rename(fresh, path);
  }
  await chmod(path, 0o755);
  return path;
}
