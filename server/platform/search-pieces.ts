/**
 * Takes what somebody typed into a search field apart: words, "exact phrases", `name:value`, `name:"two words"`, each also
 * with `-` before it. In quotes `\"` and `\\` are a quotation mark and a backslash. What the names mean is the matter of whoever searches. Pure, in linear time.
 */

export const maxSearchPieces = 30;

export interface SearchPiece {
  /** Of a qualifier; null: words that are searched for. */
  name: string | null;
  value: string;
  /** It was in quotes. */
  exact: boolean;
  /** `-` stood before it. */
  not: boolean;
  /** Its first character, counted from 1. */
  at: number;
}

/** The query cannot be understood; the message names the place. */
export class SearchQueryError extends Error {
  constructor(what: string, at: number) {
    super(`${what} (character ${at})`);
    this.name = "SearchQueryError";
  }
}

/** Throws `SearchQueryError` for a quote that does not end, a qualifier without a value, and too many pieces. */
export function readSearchPieces(text: string, qualifiers: ReadonlySet<string>): SearchPiece[] {
  const pieces: SearchPiece[] = [];
  let at = skipSpace(text, 0);
  while (at < text.length) {
    if (pieces.length === maxSearchPieces)
      throw new SearchQueryError(`A query has at most ${maxSearchPieces} words and qualifiers`, at + 1);
    const { piece, end } = readPiece(text, at, qualifiers);
    pieces.push(piece);
    at = skipSpace(text, end);
  }
  return pieces;
}

const isSpace = (char: string | undefined) => char !== undefined && /\s/.test(char);

function skipSpace(text: string, from: number): number {
  let at = from;
  while (isSpace(text[at])) at++;
  return at;
}

function readPiece(
  text: string,
  from: number,
  qualifiers: ReadonlySet<string>,
): { piece: SearchPiece; end: number } {
  const not = text[from] === "-" && from + 1 < text.length && !isSpace(text[from + 1]);
  const begin = not ? from + 1 : from;
  const name = nameAt(text, begin, qualifiers);
  const valueAt = name === null ? begin : begin + name.length + 1;
  const { value, end, exact } = readValue(text, valueAt);
  if (name !== null && value === "") throw new SearchQueryError(`${name}: needs a value`, valueAt + 1);
  return { piece: { name: name?.toLowerCase() ?? null, value, exact, not, at: from + 1 }, end };
}

/** As it was written; null where no known name stands there, as in `std::string`. */
function nameAt(text: string, from: number, qualifiers: ReadonlySet<string>): string | null {
  const name = /^[a-zA-Z][a-zA-Z-]{0,31}(?=:)/.exec(text.slice(from, from + 33))?.[0];
  return name !== undefined && qualifiers.has(name.toLowerCase()) ? name : null;
}

function readValue(text: string, from: number): { value: string; end: number; exact: boolean } {
  if (text[from] !== '"') {
    let end = from;
    while (end < text.length && !isSpace(text[end])) end++;
    return { value: text.slice(from, end), end, exact: false };
  }
  let value = "";
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === '"') return { value: value.trim(), end: at + 1, exact: true };
    const isEscape = text[at] === "\\" && (text[at + 1] === '"' || text[at + 1] === "\\");
    if (isEscape) at++;
    value += text[at];
  }
  throw new SearchQueryError("The quotation mark is not closed", from + 1);
}
