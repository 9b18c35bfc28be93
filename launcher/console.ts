/** What `npm start` prints: one readable line a fact, the part's name first; colours only on a terminal. */
import pc from "picocolors";

export interface Console {
  /** One line about one part, for example `say("postgresql", "ready on 127.0.0.1:15432")`. */
  say(part: string, text: string): void;
  ready(part: string, text: string): void;
  problem(part: string, text: string): void;
  blank(): void;
  /** Text as it is. */
  raw(text: string): void;
}

const columnWidth = 15;

export function createConsole(out: NodeJS.WritableStream = process.stdout): Console {
  const line = (part: string, text: string, paint: (s: string) => string) =>
    out.write(`${paint(part.padEnd(columnWidth))}${text}\n`);
  return {
    say: (part, text) => line(part, pc.dim(text), pc.dim),
    ready: (part, text) => line(part, text, pc.green),
    problem: (part, text) => line(part, text, pc.red),
    blank: () => void out.write("\n"),
    raw: (text) => void out.write(text),
  };
}
