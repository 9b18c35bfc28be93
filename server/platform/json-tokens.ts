/**
 * Counts structural characters of a JSON text before it is parsed: many small members cost the parser, the schema and whatever
 * walks through the value a hundred times what one long string of the same size costs.
 */
const quote = 0x22;
const backslash = 0x5c;

/** Indexed by byte: 1 for a character that counts. */
export type TokenSet = Uint8Array;

/** Arrays, objects and commas: at least as many as the text has members. */
export const memberTokens = tokenSet("[{,");
/** The same, counting the value of each field as well. */
export const memberAndValueTokens = tokenSet("[{,:");

function tokenSet(characters: string): TokenSet {
  const tokens = new Uint8Array(256);
  for (const character of characters) tokens[character.charCodeAt(0)] = 1;
  return tokens;
}

/** How many such characters there are outside strings; stops counting beyond `max`. Strings are skipped, valid or not. */
export function countTokens(json: Uint8Array, tokens: TokenSet, max: number): number {
  let count = 0;
  for (let at = 0; at < json.length && count <= max; at += 1) {
    const byte = json[at] as number;
    if (byte === quote) at = endOfString(json, at);
    else count += tokens[byte] as number;
  }
  return count;
}

/** The index of the quote that ends the string which begins at `start`; the length of the text if none does. */
function endOfString(json: Uint8Array, start: number): number {
  for (let at = start + 1; ; at += 1) {
    at = json.indexOf(quote, at);
    if (at === -1) return json.length;
    let escapes = 0;
    while (json[at - 1 - escapes] === backslash) escapes += 1;
    if (escapes % 2 === 0) return at;
  }
}
