/**
 * What changed in some files, by the ids of their contents. Git compares two trees in which they have numbers for names: the
 * real trees would have to be looked through, a path also names all that is below it, and a renamed file has two.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeLooseTree, type FlatEntry } from "../objects/write-tree.ts";
import { readRecords } from "../processes/read-records.ts";
import type { StartGit } from "../processes/run-git.ts";
import { createPatchReader, type PatchLimits, type ReadPatch } from "./patch-output.ts";
import type { FileSide } from "./tree-difference.ts";

export interface SidePair {
  before: FileSide | null;
  after: FileSide | null;
}

export interface CompareOptions {
  ignoreWhitespace: boolean;
  /** Unchanged lines around each change. */
  contextLines: number;
  limits: PatchLimits;
  timeoutMs: number;
}

/** More than a text of any size that is compared has lines. */
export const allContextLines = 100_000_000;

/**
 * In the order of the pairs; undefined for those that Git did not come to in time. What is over 10 MiB is taken for binary.
 */
export async function compareFiles(
  startGit: StartGit,
  directory: string,
  { pairs, options }: { pairs: readonly SidePair[]; options: CompareOptions },
): Promise<(ReadPatch | undefined)[]> {
  if (pairs.length === 0) return [];
  const home = await mkdtemp(join(tmpdir(), "forgeline-changes-"));
  const reader = createPatchReader(options.limits);
  try {
    const before = await writeLooseTree(home, entriesOf(pairs, "before"));
    const after = await writeLooseTree(home, entriesOf(pairs, "after"));
    const isWhole = await readRecords(startGit, {
      directory,
      args: [...asBinaryPast, "diff-tree", ...optionsOf(options), "--end-of-options", before, after],
      env: {
        GIT_OBJECT_DIRECTORY: home,
        // Quoted, since a colon would end a path in the list.
        GIT_ALTERNATE_OBJECT_DIRECTORIES: JSON.stringify(join(directory, "objects")),
      },
      separator: "\n",
      maxRecordBytes: options.limits.bytes + 1,
      onRecord: reader.onLine,
      timeoutMs: options.timeoutMs,
      mayBeCut: true,
    });
    return reader.results(pairs.length, isWhole);
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

/** Git would hold both sides of a larger text in memory to compare them; of a binary file it only says that it differs. */
const asBinaryPast = ["-c", "core.bigFileThreshold=10m"];
const asStored = ["--no-renames", "--no-ext-diff", "--no-textconv", "--no-color"];

function optionsOf({ contextLines, ignoreWhitespace }: CompareOptions): string[] {
  const lines = ["--patch", `--unified=${contextLines}`];
  return [...lines, ...asStored, ...(ignoreWhitespace ? ["--ignore-all-space"] : [])];
}

function entriesOf(pairs: readonly SidePair[], side: "before" | "after"): FlatEntry[] {
  return pairs.flatMap((pair, index) => {
    const file = pair[side];
    return file ? [{ name: String(index).padStart(6, "0"), mode: file.mode, oid: file.oid }] : [];
  });
}
