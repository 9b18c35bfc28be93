/** Merges three versions of a text line by line, and says where both sides changed the same lines: git-merge-file(1). */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { RunGit } from "../processes/run-git.ts";
import type { CombinedPlace } from "./combined-objects.ts";

export interface ThreeTexts {
  base: Buffer;
  ours: Buffer;
  theirs: Buffer;
}

/** One after the other they are the file; each has the ends of its lines. */
export type TextPiece =
  | { type: "context"; text: string }
  | { type: "conflict"; ours: string; base: string; theirs: string };

const timeoutMs = 60_000;
const maxOutputBytes = 32 * 1024 * 1024;
/** Git says how many conflicts there are, up to here; more is an error. */
const exitCodes = Array.from({ length: 128 }, (_, code) => code);

/** UTF-8 only. `scratch`: a directory for files of its own. Throws `GitError`, and the signal's reason. */
export async function mergeTexts(
  runGit: RunGit,
  { place, scratch }: { place: CombinedPlace; scratch: string },
  texts: ThreeTexts,
): Promise<TextPiece[]> {
  const folder = await mkdtemp(join(scratch, "merge-file-"));
  try {
    const names = ["ours", "base", "theirs"] as const;
    const paths = names.map((name) => join(folder, name));
    for (const [index, name] of names.entries()) await writeFile(paths[index]!, texts[name]);
    const size = unusedMarkerSize(Object.values(texts));
    const labels = names.flatMap((name) => ["-L", name]);
    const { stdout } = await runGit({
      ...place,
      args: ["merge-file", "-p", "--zdiff3", `--marker-size=${size}`, ...labels, ...paths],
      acceptExitCodes: exitCodes,
      yields: true,
      timeoutMs,
      maxOutputBytes,
    });
    return splitPieces(stdout.toString("utf8"), size);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** So many characters that no line of the texts could be taken for a marker. At least as many as Git uses by default. */
export function unusedMarkerSize(texts: readonly Buffer[]): number {
  const used = new Set<number>();
  for (const text of texts)
    for (const [run] of text.toString("latin1").matchAll(/^(?:<{7,}|\|{7,}|={7,}|>{7,})/gm))
      used.add(run.length);
  let size = 7;
  while (used.has(size)) size += 1;
  return size;
}

/** Of what Git has written, with markers of this size. */
export function splitPieces(merged: string, size: number): TextPiece[] {
  const pieces: TextPiece[] = [];
  const parts = { context: "", ours: "", base: "", theirs: "" };
  let into: keyof typeof parts = "context";
  const marks = { "<": "ours", "|": "base", "=": "theirs", ">": "context" } as const;
  for (const [line] of merged.matchAll(/[^\n]*\n|[^\n]+$/g)) {
    const mark = markOf(line, size);
    if (mark === undefined) {
      parts[into] += line;
      continue;
    }
    if (mark === "<" && parts.context !== "") pieces.push({ type: "context", text: parts.context });
    if (mark === ">") {
      const { ours, base, theirs } = parts;
      pieces.push({ type: "conflict", ours, base, theirs });
    }
    if (mark === "<" || mark === ">") Object.assign(parts, { context: "", ours: "", base: "", theirs: "" });
    into = marks[mark];
  }
  if (parts.context !== "") pieces.push({ type: "context", text: parts.context });
  return pieces;
}

function markOf(line: string, size: number): "<" | "|" | "=" | ">" | undefined {
  const first = line[0];
  if (first !== "<" && first !== "|" && first !== "=" && first !== ">") return undefined;
  let length = 1;
  while (line[length] === first) length += 1;
  return length === size ? first : undefined;
}
