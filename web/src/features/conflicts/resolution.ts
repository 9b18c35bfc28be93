/** What somebody has decided about files that conflict, and what the server is told of it. Pure. */
import type { Schemas } from "@forgeline/client/schemas.ts";

export type Piece = Schemas["MergeConflictPiece"];
export type ConflictFile = Schemas["MergeConflict"];
export type Resolution = Schemas["ConflictResolution"];
export type Side = "source" | "target";
export type Pick = Side | "both";
/** By the place of the piece in the file. */
export type Picks = ReadonlyMap<number, Pick>;

export type Answer =
  | { way: Side | "delete" }
  /** `text`: undefined while some are left. */
  | { way: "picks"; picks: Picks; left: number; text: string | undefined }
  /** `ends`: of the lines of the file; a field has no others than `\n`. */
  | { way: "text"; text: string; ends: "\n" | "\r\n" };

/** By path. */
export type Answers = ReadonlyMap<string, Answer>;

export function pick(
  pieces: readonly Piece[],
  before: Answer | undefined,
  [at, chosen]: [number, Pick],
): Answer {
  const picks = new Map(before?.way === "picks" ? before.picks : []);
  picks.set(at, chosen);
  const conflicts = pieces.filter(({ type }) => type === "conflict").length;
  const left = conflicts - picks.size;
  return { way: "picks", picks, left, text: left === 0 ? textOf(pieces, picks) : undefined };
}

export function textOf(
  pieces: readonly Piece[],
  picks: Picks,
  names: Readonly<Record<Side, string>> = { source: "", target: "" },
): string {
  return pieces
    .map((piece, at) => {
      if (piece.type === "context") return piece.text;
      const chosen = picks.get(at);
      if (chosen === "both") return ended(piece.source) + piece.target;
      return chosen === undefined ? marked(piece, names) : piece[chosen];
    })
    .join("");
}

function marked(
  { source, target }: Extract<Piece, { type: "conflict" }>,
  names: Record<Side, string>,
): string {
  return `<<<<<<< ${names.source}\n${ended(source)}=======\n${ended(target)}>>>>>>> ${names.target}\n`;
}

/** The last line of a file need not have an end. */
function ended(lines: string): string {
  return lines === "" || lines.endsWith("\n") ? lines : `${lines}\n`;
}

/** As the server takes them for markers. */
const marker = /^(?:<{7}|\|{7}|>{7})(?:[ \r]|$)/gm;
const begin = /^<{7}(?:[ \r]|$)/gm;

/** How many conflicts are left in a file; undefined where it has not been looked at. */
export function leftIn(answer: Answer | undefined): number | undefined {
  if (answer === undefined) return undefined;
  if (answer.way === "picks") return answer.left;
  if (answer.way !== "text") return 0;
  const lines = answer.text.match(marker)?.length ?? 0;
  return lines === 0 ? 0 : Math.max(1, answer.text.match(begin)?.length ?? 0);
}

export function unresolved(files: readonly ConflictFile[], answers: Answers): ConflictFile[] {
  return files.filter(({ path }) => leftIn(answers.get(path)) !== 0);
}

/** Of all files; those without an answer are left out. */
export function resolutions(files: readonly ConflictFile[], answers: Answers): Resolution[] {
  return files.flatMap(({ path }): Resolution[] => {
    const answer = answers.get(path);
    if (answer === undefined) return [];
    if (!("text" in answer))
      return answer.way === "delete" ? [{ path, delete: true }] : [{ path, take: answer.way }];
    if (answer.text === undefined) return [];
    const isWindows = answer.way === "text" && answer.ends === "\r\n";
    return [{ path, content: isWindows ? answer.text.replaceAll("\n", "\r\n") : answer.text }];
  });
}
