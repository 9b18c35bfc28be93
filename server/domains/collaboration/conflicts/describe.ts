/** What people are told of a file that conflicts, and how it can be resolved. Pure. */
import type { MergeConflict } from "@forgeline/schemas/conflicts/resource.ts";
import type { ConflictingPath, ConflictSide } from "../../../platform/git/merging/list-conflicts.ts";
import type { Blob } from "../../../platform/git/merging/read-blobs.ts";

export type Blobs = ReadonlyMap<string, Blob>;

/** Commits that were merged: Git writes the name of one behind a file that it moved out of the way. */
export interface Sides {
  ours: string;
  theirs: string;
}

const submodule = "160000";
const symlink = "120000";

/** `blobs`: those of files, as far as they were read. */
export function describeConflict(conflict: ConflictingPath, sides: Sides, blobs: Blobs): MergeConflict {
  const { path, base, ours, theirs } = conflict;
  const there = [ours, theirs].filter((side) => side !== null);
  const isBinary = there.some(({ oid }) => isBinaryText(blobs.get(oid)?.bytes));
  const kind = kindOf(conflict, sides, isBinary);
  const isWhole = kind !== "directory" && conflict.isText;
  const hasLines = !["directory", "submodule", "symlink", "mode"].includes(kind) && isWhole;
  const editable =
    hasLines && there.length > 0 && there.every(({ oid }) => textOf(blobs.get(oid)?.bytes) !== undefined);
  const shown = (side: ConflictSide | null) =>
    side && { sha: side.oid, mode: side.mode, size: blobs.get(side.oid)?.sizeBytes ?? null };
  return {
    path,
    kind,
    editable,
    choices: [
      ...(editable ? (["content"] as const) : []),
      ...(isWhole && ours ? (["source"] as const) : []),
      ...(isWhole && theirs ? (["target"] as const) : []),
      ...(isWhole ? (["delete"] as const) : []),
    ],
    source: shown(ours),
    target: shown(theirs),
    base: shown(base),
  };
}

function kindOf(conflict: ConflictingPath, sides: Sides, isBinary: boolean): MergeConflict["kind"] {
  const { base, ours, theirs, types } = conflict;
  const modes = [base, ours, theirs].flatMap((side) => side?.mode ?? []);
  const isMoved = [sides.ours, sides.theirs].some((commit) => conflict.path.includes(`~${commit}`));
  if (isMoved || types.some((type) => /file\/directory|distinct/.test(type))) return "directory";
  if (modes.includes(submodule)) return "submodule";
  if (modes.includes(symlink)) return "symlink";
  if (!ours || !theirs) {
    if (types.some((type) => /rename/i.test(type))) return "renamed";
    return ours ? "deleted_in_target" : "deleted_in_source";
  }
  if (ours.oid === theirs.oid) return "mode";
  if (isBinary) return "binary";
  return base ? "content" : "both_added";
}

/** As Git sees it. Undefined where it was not read. */
function isBinaryText(bytes: Buffer | null | undefined): boolean {
  return bytes?.subarray(0, 8_000).includes(0) ?? false;
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Undefined for what is no UTF-8, or was not read. */
export function textOf(bytes: Buffer | null | undefined): string | undefined {
  if (!bytes || bytes.includes(0)) return undefined;
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}
