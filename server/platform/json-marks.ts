/**
 * How much there is in a JSON text, told before it is parsed: many small members cost the parser, the schema and whoever walks
 * through the value a hundred times what one long text of the same size costs.
 */
const quote = 0x22;
const backslash = 0x5c;

/** By its byte, whether a character counts. */
export type Marks = Uint8Array;

/** Lists, objects, and what follows a comma: no fewer than the members of a text. */
export const members = marksOf("[{,");
/** The same, with the value of each field by itself. */
export const membersAndValues = marksOf("[{,:");

function marksOf(characters: string): Marks {
  const marks = new Uint8Array(256);
  for (const character of characters) marks[character.charCodeAt(0)] = 1;
  return marks;
}

/** How many marks stand outside of texts; past `most` it counts no further. Texts are passed over, right or wrong. */
export function countMarks(json: Uint8Array, marks: Marks, max: number): number {
  let count = 0;
  for (let at = 0; at < json.length && count <= max; at += 1) {
    const byte = json[at] as number;
    if (byte === quote) at = endOfText(json, at);
    else count += marks[byte] as number;
  }
  return count;
}

/** Of the quote that ends the text which begins at `start`; the length where none does. */
function endOfText(json: Uint8Array, start: number): number {
  for (let at = start + 1; ; at += 1) {
    at = json.indexOf(quote, at);
    if (at === -1) return json.length;
    let escapes = 0;
    while (json[at - 1 - escapes] === backslash) escapes += 1;
    if (escapes % 2 === 0) return at;
  }
}
