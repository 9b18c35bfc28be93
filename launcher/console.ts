/** What `npm start` prints: one readable line a fact, the part's name first; colours only on a terminal. */
import { createColors } from "picocolors";

export interface Console {
  /** One line about one part, for example `say("postgresql", "ready on 127.0.0.1:15432")`. */
  say(part: string, text: string): void;
  ready(part: string, text: string): void;
  problem(part: string, text: string): void;
  blank(): void;
  /** Text as it is. */
  raw(text: string): void;
  bold(text: string): string;
}

const columnWidth = 15;

export function createConsole(out: NodeJS.WriteStream = process.stdout): Console {
  // Node's answer heeds NO_COLOR and TERM; picocolors' own would paint in every CI job, too.
  const colors = createColors(out.isTTY === true && out.hasColors());
  const line = (part: string, text: string, paint: (s: string) => string) =>
    out.write(`${paint(part.padEnd(columnWidth))}${text}\n`);
  return {
    say: (part, text) => line(part, colors.dim(text), colors.dim),
    ready: (part, text) => line(part, text, colors.green),
    problem: (part, text) => line(part, text, colors.red),
    blank: () => void out.write("\n"),
    raw: (text) => void out.write(text),
    bold: colors.bold,
  };
}
