/** Which texts are shown as they were written, because reading them would take too long. */
import type { Token } from "markdown-it";

/** In units of UTF-16. */
export const maxTextLength = 256 * 1024;
const maxFootnotes = 1_000;
/** Each line after it may belong to any of the quotations. */
const deepQuotation = /(?:>[ \t]{0,4}){40}/;
/** An address that is defined once can be used everywhere; all uses together are this long at most. */
const maxAddressesLength = 1024 * 1024;
/** Cells, items, words in emphasis and the like: a table can have one in each character. */
const maxParts = 400_000;

export function isTooCostly(text: string): boolean {
  if (text.length > maxTextLength) return true;
  if (deepQuotation.test(text)) return true;
  // Each footnote is moved to the end by itself.
  return (text.match(/\[\^[^\]\s]{1,100}\]:/g)?.length ?? 0) > maxFootnotes;
}

export function becomesTooMuch(tokens: readonly Token[]): boolean {
  let length = 0;
  let parts = tokens.length;
  for (const { children } of tokens) {
    parts += children?.length ?? 0;
    for (const { attrs } of children ?? [])
      for (const [, value] of attrs ?? []) length += String(value).length;
  }
  return length > maxAddressesLength || parts > maxParts;
}
