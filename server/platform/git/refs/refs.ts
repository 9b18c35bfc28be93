/** Reads refs, and makes them durable. */
import { open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { reservedRefs, zeroId } from "./names.ts";
import { readRecords } from "../processes/read-records.ts";
import type { RunGit, StartGit } from "../processes/run-git.ts";

/** What each ref points to (tags not peeled); all zeros for one that is not there. */
export async function readRefs(
  runGit: RunGit,
  directory: string,
  refs: readonly string[],
): Promise<Map<string, string>> {
  const found = new Map(refs.map((ref) => [ref, zeroId]));
  // Ref names hold no glob characters, so a name is a pattern for itself and what is below it.
  for (let start = 0; start < refs.length; start += 500) {
    const args = ["for-each-ref", "--format=%(objectname) %(refname)", ...refs.slice(start, start + 500)];
    const { stdout } = await runGit({ directory, args });
    for (const line of stdout.toString("utf8").split("\n")) {
      const ref = line.slice(41);
      if (found.has(ref)) found.set(ref, line.slice(0, 40));
    }
  }
  return found;
}

/** Every ref but those that only the server writes; tags not peeled. */
export async function allRefs(startGit: StartGit, directory: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  await readRecords(startGit, {
    directory,
    args: ["for-each-ref", "--format=%(objectname) %(refname)"],
    separator: "\n",
    timeoutMs: 600_000,
    background: true,
    onRecord(record) {
      const line = record.toString("utf8");
      const ref = line.slice(41);
      if (!reservedRefs.some((prefix) => ref.startsWith(prefix))) found.set(ref, line.slice(0, 40));
    },
  });
  return found;
}

/** Those of `oids` that the repository does not have. */
export async function missingObjects(
  runGit: RunGit,
  directory: string,
  oids: readonly string[],
): Promise<string[]> {
  if (oids.length === 0) return [];
  const { stdout } = await runGit({
    directory,
    args: ["cat-file", "--batch-check=%(objectname)"],
    input: `${oids.join("\n")}\n`,
    timeoutMs: 600_000,
    background: true,
    maxOutputBytes: 100 * (oids.length + 10),
  });
  const lines = stdout.toString("utf8").split("\n");
  return lines.filter((line) => line.endsWith(" missing")).map((line) => line.slice(0, 40));
}

/** Makes the names of these refs and of their objects durable; Git has synced the files. */
export async function syncRefs(directory: string, refs: readonly string[]): Promise<void> {
  const directories = new Set([directory, join(directory, "objects"), join(directory, "objects/pack")]);
  for (const ref of refs) {
    for (let part = dirname(ref); part !== "."; part = dirname(part)) directories.add(join(directory, part));
  }
  await Promise.all(Array.from(directories, syncPresent));
}

async function syncPresent(path: string): Promise<void> {
  const handle = await open(path, "r").catch(ignoreAbsent);
  if (!handle) return;
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function ignoreAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT" && error.code !== "ENOTDIR") throw error;
}
