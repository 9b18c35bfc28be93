/**
 * How much there is in a JSON text, told before it is parsed: many small members cost the parser, the schema and whoever walks
 * through the value a hundred times what one long text of the same size costs.
 */
const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const list = 0x5b;
const object = 0x7b;

/** Whether lists, objects and what follows a comma are more than `most`. Texts are passed over, right or wrong. */
export function hasMoreMembers(json: Buffer, most: number): boolean {
  let members = 0;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at];
    if (byte === quote) at = endOfText(json, at);
    else if (byte === comma || byte === list || byte === object) {
      members += 1;
      if (members > most) return true;
    }
  }
  return false;
}

/** Of the quote that ends the text which begins at `start`; the length where none does. */
function endOfText(json: Buffer, start: number): number {
  for (let at = start + 1; ; at += 1) {
    at = json.indexOf(quote, at);
    if (at === -1) return json.length;
    let escapes = 0;
    while (json[at - 1 - escapes] === backslash) escapes += 1;
    if (escapes % 2 === 0) return at;
  }
}
