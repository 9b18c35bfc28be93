/**
 * Counts how much of real files of other systems comes through `forgeline convert`, by construct, and writes the table of
 * `docs/pipelines/convert.md`: `node scripts/convert-report.ts`. The files lie beside the checkout and may not be copied into it.
 */
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { convert } from "@forgeline/compiler/convert/convert.ts";
import { sourceSystems, systemTitles, type SourceSystem } from "@forgeline/compiler/convert/systems.ts";

const root = join(import.meta.dirname, "..");
/** Public projects' files, by system. */
export const realPipelines = join(root, "../shared/real-pipelines");

const start = "<!-- counts: written by `node scripts/convert-report.ts` -->\n";
const end = "<!-- end of counts -->";

/** The part of the page between the marks. */
export function tableIn(page: string): string {
  return page.slice(page.indexOf(start) + start.length, page.indexOf(end));
}

interface Row {
  found: number;
  noted: number;
  reasons: Map<string, number>;
}

/** The tables, one for each system that there are files of. */
export function countConstructs(): string {
  return `\n${sourceSystems
    .map(tableOf)
    .filter((table) => table !== "")
    .join("\n")}\n`;
}

function tableOf(system: SourceSystem): string {
  const names = globSync("*.{yml,yaml}", { cwd: join(realPipelines, system) }).sort();
  if (names.length === 0) return "";
  const rows = new Map<string, Row>();
  const rowOf = (construct: string): Row => {
    const row = rows.get(construct) ?? { found: 0, noted: 0, reasons: new Map() };
    rows.set(construct, row);
    return row;
  };
  for (const name of names) {
    const text = readFileSync(join(realPipelines, system, name), "utf8");
    const { counts, notes } = convert({ source: name, text, system, path: ".forgeline.yml" });
    for (const [construct, { found, noted }] of counts) {
      const row = rowOf(construct);
      row.found += found;
      row.noted += noted;
    }
    for (const { construct, message } of notes) {
      const { reasons } = rowOf(construct);
      const reason = generalized(message);
      reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
    }
  }
  const sums = [...rows.values()].reduce(
    (sum, row) => ({ found: sum.found + row.found, noted: sum.noted + Math.min(row.noted, row.found) }),
    { found: 0, noted: 0 },
  );
  const lines = [...rows]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([construct, row]) => lineOf(construct, row));
  const heading = `### ${systemTitles[system]}: ${names.length} files, ${percent(sums.found - sums.noted, sums.found)} of ${sums.found} keys\n`;
  return [
    heading,
    "| Construct | Found | Whole | With a comment | Why |",
    "|---|--:|--:|--:|---|",
    ...lines,
    "",
  ].join("\n");
}

function lineOf(construct: string, { found, noted, reasons }: Row): string {
  const most = [...reasons]
    .sort(([a, x], [b, y]) => y - x || a.localeCompare(b))
    .slice(0, 3)
    .map(([reason]) => reason);
  const withComment = Math.min(found, noted);
  return `| \`${construct}\` | ${found} | ${found - withComment} | ${withComment} | ${most.join("; ").replaceAll("|", "\\|")} |`;
}

/** Without the names of the one file, so that reasons can be counted. */
function generalized(message: string): string {
  return message
    .replace(/^the (action|workflow|plugin) \S+/, "the $1")
    .replace(/^\S+ is a variable of/, "a variable of")
    .replace(/^a runner with .* is not asked for/, "a runner with these tags is not asked for")
    .replace(/there are none for .*$/, "there are none for other systems")
    .replace(/and \S+ is not Linux/, "and this machine is not Linux")
    .replace(/^not in this file: .*$/, "what it extends is in another file")
    .replace(/^\[.*\] is not in this file/, "what it refers to is in another file")
    .replace(/^\S+ is not read$/, "other files are not read")
    .replace(/^([A-Z0-9_]+, )*[A-Z0-9_]+: not set in this file/, "variables that are not set in the file")
    .replace(/^[A-Z0-9_]+: /, "")
    .replace(/^[A-Z0-9_]+ of GitLab/, "a variable of GitLab");
}

function percent(part: number, whole: number): string {
  return `${Math.round((100 * part) / whole)} %`;
}

if (import.meta.main) {
  const path = join(root, "docs/pipelines/convert.md");
  const page = readFileSync(path, "utf8");
  writeFileSync(
    path,
    page.slice(0, page.indexOf(start) + start.length) + countConstructs() + page.slice(page.indexOf(end)),
  );
}
