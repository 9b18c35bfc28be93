/** A follower of events reads each exactly once, however transactions take positions, commit and roll back around it. */
import { expect, test } from "vitest";
import { advance, type Cursor } from "@forgeline/server/platform/events/gaps.ts";
import { seededRandom } from "../../../../support/seeded-random.ts";

interface Writer {
  number: number;
  positions: number[];
}

/** A database in which transactions have numbers and take positions, seen by a follower that looks now and then. */
function simulate(seed: number): { committed: number[]; seen: number[]; cursor: Cursor } {
  const random = seededRandom(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  const open: Writer[] = [];
  const committed = new Set<number>();
  const seen: number[] = [];
  let nextNumber = 1;
  let nextPosition = 1;
  let cursor: Cursor = { position: 0, gaps: [] };

  const oldest = () => Math.min(nextNumber, ...open.map(({ number }) => number));
  const end = (writer: Writer, commits: boolean) => {
    open.splice(open.indexOf(writer), 1);
    if (commits) for (const position of writer.positions) committed.add(position);
  };
  const step = () => {
    const choice = below(4);
    const writer = open[below(open.length || 1)];
    if (choice === 0 || !writer) open.push({ number: nextNumber++, positions: [] });
    else if (choice === 1) writer.positions.push(nextPosition++);
    else end(writer, random() < 0.8);
  };
  const look = (others: () => void) => {
    const oldestBefore = String(oldest());
    // Others go on between the statements of the follower.
    others();
    const isInGap = (position: number) =>
      cursor.gaps.some(({ from, to }) => position >= from && position <= to);
    const visible = [...committed]
      .filter((each) => each > cursor.position || isInGap(each))
      .sort((a, b) => a - b);
    const limit = 1 + below(5);
    const read = visible.slice(0, limit);
    others();
    seen.push(...read);
    cursor = advance(cursor, {
      read,
      oldestBefore,
      nextAfter: String(nextNumber),
      isAll: read.length < limit,
    });
  };
  const perhaps = () => {
    if (random() < 0.5) step();
  };
  for (let round = 0; round < 400; round += 1) {
    if (random() < 0.6) step();
    else look(perhaps);
  }
  while (open[0]) end(open[0], true);
  for (let round = 0; round < 400; round += 1) look(() => undefined);
  return { committed: [...committed].sort((a, b) => a - b), seen, cursor };
}

test("whatever commits is seen once, and no gap stays", () => {
  for (let seed = 1; seed <= 300; seed += 1) {
    const { committed, seen, cursor } = simulate(seed);
    expect([seed, seen.toSorted((a, b) => a - b)]).toEqual([seed, committed]);
    expect([seed, cursor.gaps]).toEqual([seed, []]);
  }
});

test("a gap is kept while a transaction that was open then is open", () => {
  const first = advance(
    { position: 3, gaps: [] },
    { read: [5, 8], oldestBefore: "10", nextAfter: "20", isAll: true },
  );
  expect(first).toEqual({
    position: 8,
    gaps: [
      { from: 4, to: 4, horizon: "20" },
      { from: 6, to: 7, horizon: "20" },
    ],
  });
  const second = advance(first, { read: [7], oldestBefore: "19", nextAfter: "30", isAll: true });
  expect(second.gaps).toEqual([
    { from: 4, to: 4, horizon: "20" },
    { from: 6, to: 6, horizon: "20" },
  ]);
  expect(advance(second, { read: [], oldestBefore: "20", nextAfter: "30", isAll: true }).gaps).toEqual([]);
});

test("numbers of transactions may exceed what a double holds", () => {
  const gaps = [{ from: 1, to: 1, horizon: "9007199254740993" }];
  const look = (oldestBefore: string) =>
    advance({ position: 1, gaps }, { read: [], oldestBefore, nextAfter: "1", isAll: true }).gaps;
  expect(look("9007199254740992")).toHaveLength(1);
  expect(look("9007199254740993")).toEqual([]);
});
