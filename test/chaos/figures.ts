/**
 * Puts measured rows into `docs/reliability.md`, between its two markers. A row replaces the one of the same promise;
 * rows that were not measured this time stay as they are, each with its own day and seed.
 */
import { readFile, writeFile } from "node:fs/promises";
import { availableParallelism, release, totalmem, type } from "node:os";
import { join } from "node:path";
import { tableHead } from "./tally.ts";

const page = join(import.meta.dirname, "../../docs/reliability.md");
const begin = "<!-- measured by npm run chaos: begin -->";
const end = "<!-- measured by npm run chaos: end -->";

export function describeMachine(): string {
  const gigabytes = Math.round(totalmem() / 1e9);
  return `${availableParallelism()} cores, ${gigabytes} GB, ${type()} ${release()}, Node ${process.version}`;
}

/** Rejects when the page has lost its markers. */
export async function writeFigures(rows: readonly string[]): Promise<void> {
  const text = await readFile(page, "utf8");
  const from = text.indexOf(begin);
  const to = text.indexOf(end);
  if (from < 0 || to < from) throw new Error(`${page} has no markers for the figures`);
  const table = [tableHead, ...mergeRows(text.slice(from, to).split("\n"), rows)].join("\n");
  const how = `Rows were last measured on ${describeMachine()}.`;
  await writeFile(page, `${text.slice(0, from)}${begin}\n\n${how}\n\n${table}\n\n${text.slice(to)}`);
}

/** By row and promise, in the order of the rows' numbers. */
export function mergeRows(before: readonly string[], now: readonly string[]): string[] {
  const cells = (line: string) => line.split("|").map((cell) => cell.trim());
  const merged = new Map<string, string>();
  for (const line of [...before, ...now])
    if (/^\| R\d/.test(line)) merged.set(cells(line).slice(1, 3).join("|"), line);
  const numberOf = (line: string) => Number(/R(\d+)/.exec(line)?.[1]);
  return [...merged.values()].sort((a, b) => numberOf(a) - numberOf(b));
}
