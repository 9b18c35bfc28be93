/** A table of a page of `docs/`, for tests that expect what it says. */
import { readFileSync } from "node:fs";

/** The cells of each row by the names of its columns. Throws where the page has no table with exactly these columns. */
export function pageTable<Column extends string>(
  page: URL,
  columns: readonly Column[],
): Record<Column, string>[] {
  const lines = readFileSync(page, "utf8").split("\n");
  const header = lines.indexOf(`| ${columns.join(" | ")} |`);
  if (header === -1) throw new Error(`${page.pathname} has no table of ${columns.join(", ")}`);
  const rows = lines.slice(header + 2);
  const end = rows.findIndex((line) => !line.startsWith("|"));
  return rows.slice(0, end === -1 ? rows.length : end).map((line) => {
    const cells = line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim());
    if (cells.length !== columns.length) throw new Error(`${page.pathname}: not a row of its table: ${line}`);
    return Object.fromEntries(columns.map((column, at) => [column, cells[at]])) as Record<Column, string>;
  });
}
