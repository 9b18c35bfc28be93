/**
 * Makes log text harmless for a terminal: colours (SGR) pass, every other control character is shown as a symbol, so
 * that a job's output cannot move the cursor, set titles, make links or forge what we print (`security.md` row 48).
 */

// oxlint-disable-next-line no-control-regex -- escape sequences begin with a control character
const sgr = /^\u001b\[[0-9;:]{0,32}m/;
const symbolOffset = 0x2400;

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
  return coloured ? `${out}\u001b[0m` : out;
}

function symbolOf(code: number): string {
  if (code === 0x7f) return "\u2421";
  return code < 0x20 ? String.fromCharCode(symbolOffset + code) : "\ufffd";
}
