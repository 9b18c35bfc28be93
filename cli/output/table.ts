/** Aligned columns for a terminal, tab-separated values when piped. What others wrote in a cell stays in its cell. */
import { stripVTControlCharacters } from "node:util";
import { colors } from "./colors.ts";
import { terminalSafe } from "./terminal-safe.ts";

export function renderTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  isTerminal = process.stdout.isTTY,
): string {
  if (!isTerminal) return rows.map((row) => row.map(plainCell).join("\t")).join("\n");
  const safe = rows.map((row) => row.map(shownCell));
  const all = [header, ...safe];
  const widths = header.map((_, column) => Math.max(...all.map((row) => visibleLength(row[column] ?? ""))));
  const line = (row: readonly string[]) =>
    row
      .map((cell, i) => cell + " ".repeat((widths[i] ?? 0) - visibleLength(cell)))
      .join("  ")
      .trimEnd();
  return [colors.bold(line(header)), ...safe.map(line)].join("\n");
}

/** The same of a list that may be empty, which people at a terminal are told: `No push mirrors.` A pipe gets nothing. */
export function renderList(
  what: string,
  header: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  return rows.length === 0 && process.stdout.isTTY ? `No ${what}.` : renderTable(header, rows);
}

/** A tab would begin another column. */
export function safeCell(text: string): string {
  return terminalSafe(text).replaceAll("\t", " ");
}

/** For a terminal. Milliseconds of times are for programs. */
export function shownCell(text: string): string {
  return safeCell(text).replaceAll(/(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.\d{3}Z/g, "$1Z");
}

export function plainCell(text: string): string {
  return stripVTControlCharacters(safeCell(text));
}

function visibleLength(text: string): number {
  return stripVTControlCharacters(text).length;
}
