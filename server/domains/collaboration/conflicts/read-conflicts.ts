/** Reads what conflicts when two branches are merged: the files, and of one of them the lines. */
import {
  maxConflictBytes,
  maxConflictPieces,
  maxConflicts,
  type ConflictPiece,
  type MergeConflict,
  type MergeConflictFile,
} from "@forgeline/schemas/conflicts/resource.ts";
import type { CombinedPlace } from "../../../platform/git/merging/combined-objects.ts";
import { listConflicts, type ConflictingPath } from "../../../platform/git/merging/list-conflicts.ts";
import { readBlobs } from "../../../platform/git/merging/read-blobs.ts";
import { mergeTexts } from "../../../platform/git/merging/three-way-text.ts";
import type { RunGit } from "../../../platform/git/processes/run-git.ts";
import { describeConflict, textOf, type Blobs, type Sides } from "./describe.ts";
import { markedText } from "./marked-text.ts";

export interface ConflictPlace {
  runGit: RunGit;
  place: CombinedPlace;
  /** A directory for files that only this needs. */
  scratch: string;
}

/** Of all files that one answer tells of. */
const maxAllBytes = 32 * 1024 * 1024;

export async function readConflicts(
  { runGit, place }: ConflictPlace,
  sides: Sides,
): Promise<{ files: MergeConflict[]; truncated: boolean }> {
  const { conflicts } = await listConflicts(runGit, place, sides);
  const shown = conflicts.slice(0, maxConflicts);
  const blobs = await blobsOf({ runGit, place }, shown);
  return {
    files: shown.map((conflict) => describeConflict(conflict, sides, blobs)),
    truncated: conflicts.length > shown.length,
  };
}

/** Undefined where the file does not conflict. */
export async function readConflictFile(
  where: ConflictPlace,
  sides: Sides,
  { path, names }: { path: string; names: { source: string; target: string } },
): Promise<Omit<MergeConflictFile, "head_sha" | "target_sha"> | undefined> {
  const { conflicts } = await listConflicts(where.runGit, where.place, sides);
  const found = conflicts.find((each) => each.path === path && each.isText);
  if (!found) return undefined;
  const blobs = await blobsOf(where, [found]);
  const described = describeConflict(found, sides, blobs);
  if (!described.editable) return { ...described, pieces: null, text: null };
  const only = found.ours && found.theirs ? undefined : (found.ours ?? found.theirs);
  if (only) return { ...described, pieces: null, text: textOf(blobs.get(only.oid)?.bytes) ?? null };
  const pieces = await piecesOf(where, found, blobs);
  const isTooMany = pieces.length > maxConflictPieces;
  return { ...described, pieces: isTooMany ? null : pieces, text: markedText(pieces, names) };
}

async function piecesOf(
  { runGit, place, scratch }: ConflictPlace,
  { base, ours, theirs }: ConflictingPath,
  blobs: Blobs,
): Promise<ConflictPiece[]> {
  const bytesOf = (oid: string | undefined) => (oid && blobs.get(oid)?.bytes) || Buffer.alloc(0);
  // Where the common version is no text, each line is one that both have written.
  const common = base && textOf(blobs.get(base.oid)?.bytes) !== undefined ? base.oid : undefined;
  const texts = { base: bytesOf(common), ours: bytesOf(ours?.oid), theirs: bytesOf(theirs?.oid) };
  const pieces = await mergeTexts(runGit, { place, scratch }, texts);
  return pieces.map((piece) =>
    piece.type === "context"
      ? piece
      : { type: "conflict", source: piece.ours, base: piece.base, target: piece.theirs },
  );
}

function blobsOf(
  { runGit, place }: Pick<ConflictPlace, "runGit" | "place">,
  conflicts: readonly ConflictingPath[],
): Promise<Blobs> {
  const sides = conflicts.flatMap(({ base, ours, theirs }) => [ours, theirs, base]);
  const oids = sides.flatMap((side) => (side && side.mode !== "160000" ? side.oid : []));
  return readBlobs(runGit, place, {
    oids: [...new Set(oids)],
    maxBytes: maxConflictBytes,
    maxAllBytes,
  });
}
