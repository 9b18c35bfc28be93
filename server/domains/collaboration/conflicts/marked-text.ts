/** Conflict markers in texts: written as Git writes them, and found again. Pure. */
import type { ConflictPiece } from "@forgeline/schemas/conflicts/resource.ts";

const size = 7;

/** The whole file, with the names of the branches at the markers. */
export function markedText(
  pieces: readonly ConflictPiece[],
  { source, target }: { source: string; target: string },
): string {
  // A file with the line ends of Windows has them in its markers too.
  const end = pieces.some((piece) => textsOf(piece).some((text) => text.includes("\r\n"))) ? "\r\n" : "\n";
  const marker = (sign: string, name = "") => `${sign.repeat(size)}${name && ` ${name}`}${end}`;
  const whole = (text: string) => (text === "" || text.endsWith("\n") ? text : text + end);
  return pieces
    .map((piece) =>
      piece.type === "context"
        ? piece.text
        : [
            marker("<", source),
            whole(piece.source),
            marker("|", "base"),
            whole(piece.base),
            marker("="),
            whole(piece.target),
            marker(">", target),
          ].join(""),
    )
    .join("");
}

function textsOf(piece: ConflictPiece): string[] {
  return piece.type === "context" ? [piece.text] : [piece.source, piece.base, piece.target];
}

/**
 * From 1; undefined where no line looks like a marker. A line of equals signs alone does not count, since texts have headings
 * that look the same.
 */
export function markerLine(text: string): number | undefined {
  const found = /^(?:<{7}|\|{7}|>{7})(?:[ \r]|$)/m.exec(text);
  return found ? text.slice(0, found.index).split("\n").length : undefined;
}
