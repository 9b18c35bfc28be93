/** Lines found again after a change, held against a change that is known line by line. */
import { expect, it } from "vitest";
import {
  hunksOf,
  mapLine,
  mapLines,
  type Hunk,
} from "@forgeline/server/domains/collaboration/reviews/map-line.ts";
import { seededRandom } from "../../../../../support/seeded-random.ts";

/** What becomes of each line of a file, with what is added before it; at the end more is added. */
interface Change {
  lines: { added: number; isKept: boolean }[];
  atEnd: number;
}

const rounds = 300;

/** Many of them, the same each time. */
function* changes(): Generator<{ change: Change; nat: (below: number) => number }> {
  const random = seededRandom(160);
  const nat = (below: number) => Math.floor(random() * below);
  for (let round = 0; round < rounds; round += 1) {
    const lines = Array.from({ length: 1 + nat(40) }, () => ({
      added: [0, 0, 0, 0, 1, 3][nat(6)]!,
      isKept: nat(5) > 0,
    }));
    yield { change: { lines, atEnd: nat(3) }, nat };
  }
}

/** As Git would print the change without context, and where each line is afterwards. */
function worked({ lines, atEnd }: Change): { hunks: Hunk[]; now: (number | null)[] } {
  const hunks: Hunk[] = [];
  const now: (number | null)[] = [];
  let open: Hunk | undefined;
  let next = 1;
  const hunkAt = (line: number) => {
    open ??= { oldStart: line, oldLines: 0, newStart: next, newLines: 0 };
    return open;
  };
  const close = () => {
    if (!open) return;
    // A side without lines names the line before it.
    const { oldLines, newLines } = open;
    hunks.push({
      ...open,
      oldStart: oldLines === 0 ? open.oldStart - 1 : open.oldStart,
      newStart: newLines === 0 ? open.newStart - 1 : open.newStart,
    });
    open = undefined;
  };
  for (const [index, { added, isKept }] of lines.entries()) {
    if (added > 0) hunkAt(index + 1).newLines += added;
    next += added;
    if (!isKept) hunkAt(index + 1).oldLines += 1;
    else close();
    now.push(isKept ? next : null);
    if (isKept) next += 1;
  }
  if (atEnd > 0) hunkAt(lines.length + 1).newLines += atEnd;
  close();
  return { hunks, now };
}

it("finds each line that stays, and none that goes", () => {
  for (const { change } of changes()) {
    const { hunks, now } = worked(change);
    expect(change.lines.map((_, index) => mapLine(hunks, index + 1))).toEqual(now);
  }
});

it("finds lines together only where nothing happened to them and between them", () => {
  let whole = 0;
  for (const { change, nat } of changes()) {
    const { hunks, now } = worked(change);
    const start = 1 + nat(now.length);
    const line = Math.min(now.length, start + 1 + nat(5));
    if (start === line) continue;
    const first = now[start - 1] ?? null;
    const isWhole = now.slice(start - 1, line).every((at, index) => at !== null && at === first! + index);
    if (isWhole) whole += 1;
    expect(mapLines(hunks, { start, line })).toEqual(isWhole ? { start: first, line: now[line - 1] } : null);
  }
  expect(whole).toBeGreaterThan(20);
});

it("reads the hunks of a patch, and nothing that looks like one", () => {
  const patch =
    "@@ -3 +3,2 @@ where\n-a\n+@@ -9,9 +9,9 @@\n+b\n@@ -8,0 +10 @@\n+c\n\\ No newline at end of file";
  expect(hunksOf(patch)).toEqual([
    { oldStart: 3, oldLines: 1, newStart: 3, newLines: 2 },
    { oldStart: 8, oldLines: 0, newStart: 10, newLines: 1 },
  ]);
  expect([2, 3, 8, 9].map((line) => mapLine(hunksOf(patch), line))).toEqual([2, null, 9, 11]);
  expect(mapLines([], { start: null, line: 7 })).toEqual({ start: null, line: 7 });
});
