/** One record for people: a name and a value on each line, aligned; tab-separated when piped. */
import { colors } from "./colors.ts";
import { plainCell, shownCell } from "./table.ts";

export function renderFields(
  fields: readonly (readonly [string, string])[],
  isTerminal = process.stdout.isTTY,
): string {
  if (!isTerminal) return fields.map(([name, value]) => `${name}\t${plainCell(value)}`).join("\n");
  const width = Math.max(...fields.map(([name]) => name.length));
  return fields.map(([name, value]) => `${colors.dim(name.padEnd(width))}  ${shownCell(value)}`).join("\n");
}
