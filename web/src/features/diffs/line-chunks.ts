/** Lines in parts that are drawn one by one. */
import { holdsNumber } from "./anchors.ts";
import type { PatchLine } from "./parse-patch.ts";

const usualLines = 200;
const mostLines = 2_000;

/** Cut before unchanged lines: what was removed and added at one place stays together, unless it is very long. */
export function inChunks(lines: readonly PatchLine[]): PatchLine[][] {
  const chunks: PatchLine[][] = [];
  let chunk: PatchLine[] = [];
  for (const line of lines) {
    const isCut = line.kind === "context" && chunk.length >= usualLines;
    if (isCut || chunk.length >= mostLines) {
      chunks.push(chunk);
      chunk = [];
    }
    chunk.push(line);
  }
  if (chunk.length > 0) chunks.push(chunk);
  return chunks;
}

/** What an address names, `L4` or `R4-R9`, where some of it is among these. */
export function namedAmong(lines: readonly PatchLine[], name: string | undefined): string | undefined {
  if (name === undefined) return undefined;
  const isThere = ({ before, after }: PatchLine) =>
    holdsNumber(name, "L", before) || holdsNumber(name, "R", after);
  return lines.some(isThere) ? name : undefined;
}
