/** Finds what suggestions replace: the lines that their authors saw, and where these are now. */
import { createHash } from "node:crypto";
import { suggestionsIn, type WrittenSuggestion } from "@forgeline/markdown/suggestions.ts";
import type { Suggestion } from "@forgeline/schemas/suggestions/resource.ts";
import type { RepositoryFiles } from "../../../platform/git/storage/repository-files.ts";
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

/** Larger files are not read: what suggests something for them is outdated. */
export const maxFileBytes = 10 * 1024 * 1024;

/** Each file is read once. */
export async function locate(
  files: Pick<RepositoryFiles, "readFile">,
  repositoryId: string,
  { rows, applied }: { rows: readonly SuggestingRow[]; applied: readonly AppliedRow[] },
): Promise<Located[]> {
  const texts = new Map<string, Promise<Buffer | null>>();
  const textOf = (sha: string, path: string) => {
    const key = `${sha} ${path}`;
    const read = texts.get(key) ?? readText(files, repositoryId, { sha, path });
    texts.set(key, read);
    return read;
  };
  const found: Located[] = [];
  for (const row of rows)
    for (const [index, written] of suggestionsIn(row.body).entries()) {
      const digest = digestOf(written);
      const isApplied = (each: AppliedRow) =>
        each.comment_id === row.id && each.position === index && each.digest === digest;
      const place = await placeOf(row, written, textOf);
      const done = applied.find(isApplied);
      const state = done ? "applied" : place.isThere ? "open" : "outdated";
      found.push({ ...place, row, index, lines: written.lines, digest, state, applied: done });
    }
  return found;
}

/** A commit that is not kept any more has no files. */
async function readText(
  files: Pick<RepositoryFiles, "readFile">,
  repositoryId: string,
  { sha, path }: { sha: string; path: string },
): Promise<Buffer | null> {
  const found = await files.readFile(repositoryId, { sha, path, maxBytes: maxFileBytes });
  return found?.bytes ?? null;
}

async function placeOf(
  row: SuggestingRow,
  written: WrittenSuggestion,
  textOf: (sha: string, path: string) => Promise<Buffer | null>,
) {
  const range = rangeOf(row, written);
  const read = async (sha: string, path: string, at: LineRange) => {
    const text = await textOf(sha, path);
    return (text && readLines(text, at)) ?? null;
  };
  const seen = await read(row.commit_sha, row.path, range);
  const then = { ...range, path: row.path, sha: row.commit_sha, before: seen };
  if (row.is_outdated) return { ...then, isThere: false };
  const shift = row.current_line - row.line;
  const moved = { from: range.from + shift, to: range.to + shift };
  const there = await read(row.current_sha, row.current_path, moved);
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

/** A comment can be edited: what was applied is known by what it said. */
function digestOf({ around, lines }: WrittenSuggestion): string {
  return createHash("sha256")
    .update(JSON.stringify([around, lines]))
    .digest("hex");
}
