/** Finds what suggestions replace: the lines that their authors saw, and where these are now. */
import { createHash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { suggestionsIn, type WrittenSuggestion } from "@forgeline/markdown/suggestions.ts";
import { maxListedSuggestions, type Suggestion } from "@forgeline/schemas/suggestions/resource.ts";
import type { RepositoryFiles } from "../../../platform/git/storage/repository-files.ts";
import { createReviewedFiles, type ReviewedFiles } from "./reviewed-files.ts";
import { readLines, type LineRange } from "./replace-lines.ts";
import type { AppliedRow, SuggestingRow } from "./suggestions.store.ts";

export interface Located extends LineRange {
  row: SuggestingRow;
  index: number;
  path: string;
  /** The commit in which the lines are counted. */
  sha: string;
  /** With their ends; null where they cannot be read any more. */
  before: Buffer | null;
  lines: string[];
  digest: string;
  state: Suggestion["state"];
  applied: AppliedRow | undefined;
}

export interface LocatedOnes {
  found: Located[];
  /** Comments some of whose suggestions were left out, because it would have been too much to read. */
  incomplete: ReadonlySet<string>;
}

export interface ToLocate {
  rows: readonly SuggestingRow[];
  applied: readonly AppliedRow[];
  /** Default: all. */
  isWanted?(comment: string, index: number): boolean;
}

/** Each file is read once, and other requests have their turn after each comment. */
export async function locate(
  files: Pick<RepositoryFiles, "readFile">,
  repositoryId: string,
  { rows, applied, isWanted = () => true }: ToLocate,
): Promise<LocatedOnes> {
  const reviewed = createReviewedFiles(files, repositoryId);
  const appliedAs = new Map(
    applied.map((each) => [keyOf(each.comment_id, each.position, each.digest), each]),
  );
  const found: Located[] = [];
  const incomplete = new Set<string>();
  for (const row of rows) {
    await setImmediate();
    for (const [index, written] of suggestionsIn(row.body).entries()) {
      if (!isWanted(row.id, index)) continue;
      const isRoom = found.length < maxListedSuggestions;
      const place = isRoom ? await placeOf(row, written, reviewed) : undefined;
      if (!place) {
        incomplete.add(row.id);
        break;
      }
      const digest = digestOf(written);
      const done = appliedAs.get(keyOf(row.id, index, digest));
      const state = done ? "applied" : place.isThere ? "open" : "outdated";
      found.push({ ...place, row, index, lines: written.lines, digest, state, applied: done });
    }
  }
  return { found, incomplete };
}

const keyOf = (comment: string, index: number, digest: string) => `${comment} ${index} ${digest}`;

/** undefined where nothing more may be read. */
async function placeOf(row: SuggestingRow, written: WrittenSuggestion, files: ReviewedFiles) {
  const range = rangeOf(row, written);
  const first = await files.read(row.commit_sha, row.path);
  const now = row.is_outdated ? null : await files.read(row.current_sha, row.current_path);
  if (first === "too_much" || now === "too_much") return undefined;
  const seen = (first && readLines(first, range)) ?? null;
  const then = { ...range, path: row.path, sha: row.commit_sha, before: seen };
  const shift = row.current_line - row.line;
  const moved = { from: range.from + shift, to: range.to + shift };
  const there = (now && readLines(now, moved)) ?? null;
  // Only the commented lines are followed; of others beside them, what was seen has to be there still.
  const isCommented = range.from >= (row.start_line ?? row.line) && range.to <= row.line;
  const isThere = there !== null && (seen ? seen.equals(there) : isCommented);
  if (!isThere) return { ...then, isThere };
  return { ...moved, path: row.current_path, sha: row.current_sha, before: there, isThere };
}

function rangeOf({ start_line: start, line }: SuggestingRow, { around }: WrittenSuggestion): LineRange {
  if (!around) return { from: start ?? line, to: line };
  return { from: line - around.above, to: line + around.below };
}

/** A comment can be edited: what was read, and what was applied, is known by what it said. */
function digestOf({ around, lines }: WrittenSuggestion): string {
  return createHash("sha256")
    .update(JSON.stringify([around, lines]))
    .digest("hex");
}
