/** Puts the measured table into `docs/reliability.md`, between its two markers, with what it was measured on. */
import { readFile, writeFile } from "node:fs/promises";
import { availableParallelism, release, totalmem, type } from "node:os";
import { join } from "node:path";

const page = join(import.meta.dirname, "../../docs/reliability.md");
const begin = "<!-- measured by npm run chaos: begin -->";
const end = "<!-- measured by npm run chaos: end -->";

export function describeMachine(): string {
  const gigabytes = Math.round(totalmem() / 1e9);
  return `${availableParallelism()} cores, ${gigabytes} GB, ${type()} ${release()}, Node ${process.version}`;
}

/** Rejects when the page has lost its markers. */
export async function writeFigures(table: string, run: { seed: number; minutes: number }): Promise<void> {
  const text = await readFile(page, "utf8");
  const from = text.indexOf(begin);
  const to = text.indexOf(end);
  if (from < 0 || to < from) throw new Error(`${page} has no markers for the figures`);
  const day = new Date().toISOString().slice(0, 10);
  const how = `Measured on ${day} by \`npm run chaos -- --seed ${run.seed} --minutes ${run.minutes}\` on ${describeMachine()}.`;
  await writeFile(page, `${text.slice(0, from)}${begin}\n${how}\n\n${table}\n${text.slice(to)}`);
}
