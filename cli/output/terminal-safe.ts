/**
 * Makes log text harmless for a terminal: colours (SGR) pass, every other control character is shown as a symbol, so
 * that a job's output cannot move the cursor, set titles, make links or forge what we print (`security.md` row 48). What
 * turns or hides other text is shown by its number (row 70); the joiners that languages and emoji need pass.
 */

// oxlint-disable-next-line no-control-regex -- escape sequences begin with a control character
const sgr = /^\u001b\[[0-9;:]{0,32}m/;
const symbolOffset = 0x2400;
const hiding =
  /[\u034f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\u{e0000}-\u{e0fff}]/gu;

/** One line without its newline. A carriage return inside counts as the end of what it would overwrite. */
export function terminalSafe(line: string): string {
  let out = "";
  let coloured = false;
  for (let at = 0; at < line.length;) {
    const code = line.charCodeAt(at);
    const colour = code === 0x1b ? sgr.exec(line.slice(at, at + 40)) : null;
    if (colour) {
      out += colour[0];
      coloured = true;
      at += colour[0].length;
    } else {
      out +=
        code === 0x09 || (code >= 0x20 && code !== 0x7f && !(code >= 0x80 && code < 0xa0))
          ? line[at]
          : symbolOf(code);
      at++;
    }
  }
  const shown = out.replaceAll(
    hiding,
    (hidden) => `<U+${hidden.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")}>`,
  );
  return coloured ? `${shown}\u001b[0m` : shown;
}

/** The same of a text of several lines, where there is room for one. */
export function inOneLine(text: string): string {
  return terminalSafe(text.trim().replaceAll(/\s*\n\s*/g, " "));
}

function symbolOf(code: number): string {
  if (code === 0x7f) return "\u2421";
  return code < 0x20 ? String.fromCharCode(symbolOffset + code) : "\ufffd";
}
