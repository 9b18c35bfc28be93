/** Characters of source text that nobody sees, or that reorder what is seen: code can be made to look other than it is read. */
export interface TextPart {
  text: string;
  /** Of a hidden character: `U+202E`. */
  code?: string;
}

/**
 * Control characters but the tab, soft hyphens, spaces without width, fillers, tags, and all that sets the direction. Joiners
 * are left alone after letters and pictures beyond ASCII, which are written with them.
 */
const hidden =
  // oxlint-disable-next-line no-control-regex, no-misleading-character-class -- these characters are what it looks for
  /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\u{e0000}-\u{e007f}]|(?<![^\u0000-\u007f])[\u200c\u200d]/u;
const everyHidden = new RegExp(hidden, "gu");

export function hasHidden(text: string): boolean {
  return hidden.test(text);
}

export function partsWithHidden(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let from = 0;
  for (const found of text.matchAll(everyHidden)) {
    if (found.index > from) parts.push({ text: text.slice(from, found.index) });
    parts.push({ text: found[0], code: codeOf(found[0]) });
    from = found.index + found[0].length;
  }
  if (from < text.length) parts.push({ text: text.slice(from) });
  return parts;
}

function codeOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}
