/** Which line of a table of changes an element belongs to. */
import type { LineName } from "../diffs/slots.ts";

/** `L4` or `R4`. Of a line that stands before and after the change alike, as it is after it; side by side, as the half says. */
export function lineAt(target: EventTarget | null): LineName | undefined {
  const cell = target instanceof Element ? target.closest("td") : null;
  const table = cell?.closest("table");
  if (!cell || !table) return undefined;
  if (table.dataset["view"] === "split") return nameOf(numberBefore(cell));
  const row = cell.closest("tr");
  return nameOf(row?.querySelector('a[data-line^="R"]') ?? row?.querySelector('a[data-line^="L"]'));
}

/** The number that the cell follows; what spans several columns is no line. */
function numberBefore(cell: HTMLTableCellElement): Element | null {
  if (cell.colSpan > 1) return null;
  for (let at: Element | null = cell; at; at = at.previousElementSibling) {
    const link = at.querySelector(":scope > a[data-line]");
    if (link) return link;
  }
  return null;
}

function nameOf(link: Element | null | undefined): LineName | undefined {
  return link instanceof HTMLElement ? link.dataset["line"] : undefined;
}

/** The cells that show the line: those of its row, or of its half of it. */
export function cellsOf(table: HTMLTableElement, name: LineName): HTMLElement[] {
  const number = table.querySelector(`a[data-line="${name}"]`)?.closest("td");
  if (!number) return [];
  if (table.dataset["view"] !== "split") return [...(number.closest("tr")?.querySelectorAll("td") ?? [])];
  const [sign, words] = [number.nextElementSibling, number.nextElementSibling?.nextElementSibling];
  return [number, sign, words].filter((cell) => cell instanceof HTMLElement);
}
