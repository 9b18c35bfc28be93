/** Text as a terminal shows it, without escape sequences. Pure, linear in the length of the text. */

const escape = String.fromCodePoint(0x1b);
const oneByteCsi = String.fromCodePoint(0x9b);
const bell = String.fromCodePoint(0x07);
const stringEnd = String.fromCodePoint(0x9c);

/**
 * Colours and movements (`ESC [ … letter`), titles and links (`ESC ] … BEL`), and what has two or three characters. No part of it takes
 * in a newline, so lines keep their numbers, and no part can match the same text in two ways, so nothing is tried twice.
 */
const sequences = new RegExp(
  [
    `(?:${escape}\\[|${oneByteCsi})[0-?]*[ -/]*[@-~]?`,
    `${escape}[\\]P^_X][^${bell}${escape}${stringEnd}\\n]*(?:${bell}|${stringEnd}|${escape}\\\\)?`,
    `${escape}[ -/][^\\n]?`,
    `${escape}[0-~]?`,
  ].join("|"),
  "g",
);

/** Lines stay lines: no newline is removed. */
export function plainText(text: string): string {
  return text.includes(escape) || text.includes(oneByteCsi) ? text.replaceAll(sequences, "") : text;
}
