/** What each file that conflicts is to become, as somebody says it; refused where that does not fit the conflicts. Pure. */
import {
  maxConflictBytes,
  maxConflicts,
  type ConflictResolution,
  type ConflictsResolve,
} from "@forgeline/schemas/conflicts/resource.ts";
import { AppError, invalidField } from "../../../platform/app-error.ts";
import { findTokens } from "../../../platform/credentials/find-tokens.ts";
import type { ConflictingPath } from "../../../platform/git/merging/list-conflicts.ts";
import type { ResolvedPath } from "../../../platform/git/merging/resolve-conflicts.ts";
import { describeConflict, type Sides } from "./describe.ts";
import { markerLine } from "./marked-text.ts";

type Wanted = Pick<ConflictsResolve, "files" | "allow_markers">;

/** In the order of the conflicts. Throws `conflict` for what takes Git, `validation_failed` for what does not fit. */
export function resolutionOf(
  conflicts: readonly ConflictingPath[],
  sides: Sides,
  { files, allow_markers: allowMarkers }: Wanted,
): ResolvedPath[] {
  if (conflicts.length === 0) throw conflict(nothingText);
  if (conflicts.length > maxConflicts) throw conflict(tooManyText);
  const given = new Map<string, { file: ConflictResolution; at: number }>();
  for (const [at, file] of files.entries()) {
    if (given.has(file.path))
      throw invalidField(`files.${at}.path`, "duplicate", "Each file is resolved once.");
    if (!conflicts.some(({ path }) => path === file.path))
      throw invalidField(`files.${at}.path`, "unknown", "This file does not conflict.");
    given.set(file.path, { file, at });
  }
  return conflicts.map((each) => {
    const found = given.get(each.path);
    if (describeConflict(each, sides, new Map()).choices.length === 0) throw conflict(takesGit(each.path));
    if (!found) throw invalidField("files", "missing", `${each.path} conflicts too: say what it becomes.`);
    return resolved(each, { ...found, allowMarkers });
  });
}

interface Given {
  file: ConflictResolution;
  at: number;
  allowMarkers: boolean;
}

function resolved(each: ConflictingPath, { file, at, allowMarkers }: Given): ResolvedPath {
  const { path, ours, theirs } = each;
  if (file.delete) return { path, side: null };
  if (file.take !== undefined) {
    const side = file.take === "source" ? ours : theirs;
    if (side) return { path, side };
    const message = `It is not in the ${file.take} branch: take the other version, or delete it.`;
    throw invalidField(`files.${at}.take`, "not_there", message);
  }
  const { content = "" } = file;
  const mode = modeOf(each);
  if (mode === undefined)
    throw invalidField(`files.${at}.content`, "no_text", "It is no file with lines: take one version.");
  const bytes = Buffer.from(content, "utf8");
  refuseContent(`files.${at}.content`, { bytes, content, allowMarkers });
  return { path, bytes, executable: mode === "100755" };
}

/** The one that a branch has changed. Undefined where a text cannot take its place. */
function modeOf({ base, ours, theirs }: ConflictingPath): string | undefined {
  const there = [ours, theirs].flatMap((side) => side?.mode ?? []);
  if (there.length === 0 || !there.every((mode) => mode.startsWith("100"))) return undefined;
  return there.find((mode) => mode !== base?.mode) ?? there[0];
}

function refuseContent(
  field: string,
  { bytes, content, allowMarkers }: { bytes: Buffer; content: string; allowMarkers: boolean },
): void {
  if (bytes.length > maxConflictBytes)
    throw invalidField(field, "too_large", "A file can have at most 1 MiB here.");
  const line = allowMarkers ? undefined : markerLine(content);
  if (line !== undefined)
    throw invalidField(field, "conflict_marker", `There is still a conflict marker, in line ${line}.`);
  const [token] = findTokens(bytes);
  if (!token) return;
  const message = `It contains ${token.kind} in line ${token.line}, which everyone who can read the repository could use.`;
  throw invalidField(field, "secret", message);
}

/** Whether somebody who has resolved the first ones has resolved the others too. */
export function areSame(one: readonly ConflictingPath[], other: readonly ConflictingPath[]): boolean {
  const keyOf = ({ path, base, ours, theirs }: ConflictingPath) =>
    [path, base, ours, theirs].map((part) => (part === null ? "" : JSON.stringify(part))).join("\0");
  return one.length === other.length && one.every((each, at) => keyOf(each) === keyOf(other[at]!));
}

const nothingText = "Nothing conflicts any more: merge it.";
const tooManyText = `More than ${maxConflicts} files conflict: resolve them with Git, and push.`;
const takesGit = (path: string) =>
  `${path} cannot be resolved here: resolve the conflicts with Git, and push.`;

function conflict(message: string): AppError {
  return new AppError("conflict", { message });
}
