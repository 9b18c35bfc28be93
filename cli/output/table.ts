/** Aligned columns for a terminal, tab-separated values when piped. */
import { stripVTControlCharacters } from "node:util";
import pc from "picocolors";

export function renderTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  isTerminal = process.stdout.isTTY,
): string {
  if (!isTerminal) return rows.map((row) => row.map(stripVTControlCharacters).join("\t")).join("\n");
  const all = [header, ...rows];
  const widths = header.map((_, column) => Math.max(...all.map((row) => visibleLength(row[column] ?? ""))));
  const line = (row: readonly string[]) =>
    row
      .map((cell, i) => cell + " ".repeat((widths[i] ?? 0) - visibleLength(cell)))
      .join("  ")
      .trimEnd();
  return [pc.bold(line(header)), ...rows.map(line)].join("\n");
}

function visibleLength(text: string): number {
  return stripVTControlCharacters(text).length;
}
