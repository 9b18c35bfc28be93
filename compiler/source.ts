/** A file's text with lines and columns (both from 1, columns in UTF-16 units as editors count them). */

/** Half-open range of offsets in the text. */
export interface Span {
  start: number;
  end: number;
  /** Set in what comes from a template: its own file, and not the one that is compiled. */
  source?: Source;
}

/** Where a template is used. */
export interface UsePlace {
  file: string;
  line: number;
  column: number;
}

export interface Source {
  file: string;
  text: string;
  /** Of a template: the places that lead to it, outermost first. */
  chain: readonly UsePlace[];
  position(offset: number): { line: number; column: number };
  /** Text of a line without its line break; "" beyond the end. */
  line(line: number): string;
}

export function createSource(file: string, text: string, chain: readonly UsePlace[] = []): Source {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);

  function indexOfLine(offset: number): number {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  return {
    file,
    text,
    chain,
    position(offset) {
      const index = indexOfLine(Math.min(Math.max(offset, 0), text.length));
      return { line: index + 1, column: Math.min(offset, text.length) - (starts[index] ?? 0) + 1 };
    },
    line(line) {
      const start = starts[line - 1];
      if (start === undefined) return "";
      return text.slice(start, (starts[line] ?? text.length + 1) - 1).replace(/\r$/, "");
    },
  };
}
