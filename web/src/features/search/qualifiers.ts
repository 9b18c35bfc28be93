/** Qualifiers such as `label:bug` in a query that somebody types, as the server reads them (`docs/search.md`). */

/** `-`, the name, and the value: in quotes, or up to the next space. What has no name is a word. */
const pieces = /(-?)(?:([a-z][a-z-]*):)?(?:"((?:\\["\\]|\\(?!["\\])|[^"\\])*)"|(\S+))/gi;

interface Piece {
  /** As it was typed. */
  typed: string;
  /** In lower case; null: of a word, and where it is denied. */
  name: string | null;
  value: string;
}

function piecesOf(q: string): Piece[] {
  return [...q.matchAll(pieces)].map(([typed, not, name, exact, plain = ""]) => ({
    typed,
    name: not === "" ? (name?.toLowerCase() ?? null) : null,
    value: exact === undefined ? plain : exact.replaceAll(/\\(["\\])/g, "$1").trim(),
  }));
}

/** What the query wants under this name. */
export function valuesOf(q: string, name: string): string[] {
  return piecesOf(q).flatMap((piece) => (piece.name === name ? [piece.value] : []));
}

/** The query with these values under the name, and none of those that it had; what else was typed stays. */
export function withQualifier(q: string, name: string, values: readonly string[]): string {
  const others = piecesOf(q).flatMap((piece) => (piece.name === name ? [] : [piece.typed]));
  return [...others, ...values.map((value) => `${name}:${quoted(value)}`)].join(" ");
}

/** As the server reads it again. */
export function quoted(value: string): string {
  return /[\s"]/.test(value) ? `"${value.replaceAll(/["\\]/g, "\\$&")}"` : value;
}
