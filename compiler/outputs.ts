/** The file that `$CI_OUTPUT` names: `key=value` lines, and `key<<MARK` … `MARK` for values of several lines. */
import { limits } from "./limits.ts";
import { quote } from "./suggest.ts";

export interface ParsedOutputs {
  outputs: Record<string, string>;
  /** Sentences for the step's log; a wrong line does not spoil the others. */
  errors: string[];
}

/**
 * What outputs count: their length as JSON, in which they travel and are kept. A control character, for one, is six bytes of it.
 */
export function outputBytes(outputs: Readonly<Record<string, string>>): number {
  return new TextEncoder().encode(JSON.stringify(outputs)).length;
}

const keyPattern = /^[A-Za-z_][A-Za-z0-9_-]{0,127}$/;
const maxErrors = 20;

/**
 * Parses what a step wrote. A later line wins over an earlier one with the same key. Over `maxBytes` (default 1 MiB)
 * nothing is taken: half a value would be worse than none.
 */
export function parseOutputs(text: string, maxBytes: number = limits.outputBytes): ParsedOutputs {
  const bytes = new TextEncoder().encode(text).length;
  if (bytes > maxBytes) {
    return { outputs: {}, errors: [`outputs are ${bytes} bytes; at most ${maxBytes} are allowed`] };
  }
  const outputs = new Map<string, string>();
  const errors: string[] = [];
  const lines = text.split("\n").map((line) => line.replace(/\r$/, ""));
  for (let i = 0; i < lines.length; i += 1) {
    const line = lines[i] as string;
    if (line.trim() === "") continue;
    const heredoc = /^([^=<]*)<<(.+)$/.exec(line);
    if (heredoc) {
      const [, key = "", mark = ""] = heredoc;
      const end = lines.indexOf(mark.trim(), i + 1);
      if (end === -1) {
        errors.push(`line ${i + 1}: the value of ${quote(key)} has no closing line ${quote(mark.trim())}`);
        break;
      }
      take(key.trim(), lines.slice(i + 1, end).join("\n"), i);
      i = end;
      continue;
    }
    const at = line.indexOf("=");
    if (at === -1) errors.push(`line ${i + 1}: ${quote(line)} is not key=value`);
    else take(line.slice(0, at).trim(), line.slice(at + 1), i);
  }
  return { outputs: Object.fromEntries(outputs), errors: errors.slice(0, maxErrors) };

  function take(key: string, value: string, index: number): void {
    if (keyPattern.test(key) && key !== "__proto__") outputs.set(key, value);
    else
      errors.push(`line ${index + 1}: ${quote(key)} is not a valid output name (letters, digits, _ and -)`);
  }
}
