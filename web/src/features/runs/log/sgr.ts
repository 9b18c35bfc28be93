/**
 * Terminal colours of a log line. Only SGR sequences (`ESC [ … m`) have a meaning here; all other escape sequences, links
 * and titles among them, and control characters are dropped. Takes time in proportion to the text.
 */

/** A colour of the palette (0 to 255), or true colour as `#rrggbb`. */
export type Colour = number | string;

export interface SgrStyle {
  colour: Colour | null;
  ground: Colour | null;
  bold: boolean;
  faint: boolean;
  italic: boolean;
  underlined: boolean;
  inverse: boolean;
  struck: boolean;
}

export interface Span {
  text: string;
  style: SgrStyle;
}

export const plainStyle: SgrStyle = Object.freeze({
  colour: null,
  ground: null,
  bold: false,
  faint: false,
  italic: false,
  underlined: false,
  inverse: false,
  struck: false,
});

const maxSequenceLength = 256;

/** `after` is the style that a line below would continue with. */
export function parseSgr(text: string, before: SgrStyle = plainStyle): { spans: Span[]; after: SgrStyle } {
  const spans: Span[] = [];
  let style = before;
  let from = 0;
  const flush = (to: number) => {
    const words = printable(text.slice(from, to));
    const last = spans.at(-1);
    if (words === "") return;
    if (last?.style === style) last.text += words;
    else spans.push({ text: words, style });
  };
  for (let at = nextEscape(text, 0); at !== -1; at = nextEscape(text, from)) {
    flush(at);
    const end = endOfSequence(text, at);
    const isSgr = text.charCodeAt(end - 1) === 0x6d && isCsi(text, at);
    if (isSgr) style = applySgr(style, text.slice(at + (text.charCodeAt(at) === 0x9b ? 1 : 2), end - 1));
    from = end;
  }
  flush(text.length);
  return { spans, after: style };
}

/** Without any sequence: for searching. */
export function plainText(text: string): string {
  if (nextEscape(text, 0) === -1) return printable(text);
  return parseSgr(text)
    .spans.map((span) => span.text)
    .join("");
}

// oxlint-disable-next-line no-control-regex -- what begins a sequence, of seven and of eight bits
const escapes = /[\u001b\u009b]/g;

function nextEscape(text: string, from: number): number {
  escapes.lastIndex = from;
  return escapes.exec(text)?.index ?? -1;
}

function printable(text: string): string {
  // oxlint-disable-next-line no-control-regex -- these are what is taken out; tabs stay
  return text.replace(/[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, "");
}

function isCsi(text: string, at: number): boolean {
  return text.charCodeAt(at) === 0x9b || text.charCodeAt(at + 1) === 0x5b;
}

/** Where the text continues after the sequence that begins at `at`. A sequence without end hides nothing but its own start. */
function endOfSequence(text: string, at: number): number {
  if (isCsi(text, at)) return endOfCsi(text, at + (text.charCodeAt(at) === 0x9b ? 1 : 2));
  const kind = text.charAt(at + 1);
  if (kind === "]" || kind === "P" || kind === "^" || kind === "_" || kind === "X")
    return endOfString(text, at + 2);
  // Two or three characters, such as `ESC ( B`.
  const code = text.charCodeAt(at + 1);
  if (code >= 0x20 && code <= 0x2f) return Math.min(at + 3, text.length);
  return code >= 0x30 && code <= 0x7e ? at + 2 : at + 1;
}

function endOfCsi(text: string, from: number): number {
  for (let at = from; at < text.length && at - from < maxSequenceLength; at += 1) {
    const code = text.charCodeAt(at);
    if (code >= 0x40 && code <= 0x7e) return at + 1;
    if (code < 0x20 || code > 0x3f) return at;
  }
  return Math.min(from, text.length);
}

/** Titles and links: until BEL or `ESC \`, or to the end of the line. */
function endOfString(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x07 || code === 0x9c) return at + 1;
    if (code === 0x1b) return text.charAt(at + 1) === "\\" ? at + 2 : at;
  }
  return text.length;
}

function applySgr(style: SgrStyle, parameters: string): SgrStyle {
  if (!/^[\d;:]*$/.test(parameters)) return style;
  const codes = parameters.split(/[;:]/).map(Number);
  const next = { ...style };
  for (let at = 0; at < codes.length; at += 1) {
    const code = codes[at] ?? 0;
    if (code === 38 || code === 48) {
      const [colour, used] = extendedColour(codes, at + 1);
      if (colour !== undefined) next[code === 38 ? "colour" : "ground"] = colour;
      at += used;
    } else applyCode(next, code);
  }
  return next;
}

function applyCode(style: SgrStyle, code: number): void {
  if (code === 0) Object.assign(style, plainStyle);
  else if (code >= 30 && code <= 37) style.colour = code - 30;
  else if (code >= 90 && code <= 97) style.colour = code - 90 + 8;
  else if (code >= 40 && code <= 47) style.ground = code - 40;
  else if (code >= 100 && code <= 107) style.ground = code - 100 + 8;
  else Object.assign(style, plainCodes[code]);
}

const plainCodes: Readonly<Record<number, Partial<SgrStyle>>> = {
  1: { bold: true },
  2: { faint: true },
  3: { italic: true },
  4: { underlined: true },
  7: { inverse: true },
  9: { struck: true },
  22: { bold: false, faint: false },
  23: { italic: false },
  24: { underlined: false },
  27: { inverse: false },
  29: { struck: false },
  39: { colour: null },
  49: { ground: null },
};

/** `5;N` or `2;R;G;B`, and how many codes that took: of an unknown kind, all that are left. */
function extendedColour(codes: readonly number[], at: number): [Colour | undefined, number] {
  const kind = codes[at];
  if (kind === 5) {
    const index = codes[at + 1];
    return [index !== undefined && index <= 255 ? index : undefined, 2];
  }
  if (kind !== 2) return [undefined, codes.length];
  const parts = codes.slice(at + 1, at + 4);
  if (parts.length < 3 || parts.some((part) => part > 255)) return [undefined, 4];
  return [`#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}`, 4];
}
