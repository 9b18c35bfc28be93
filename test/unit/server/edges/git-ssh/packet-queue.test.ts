import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { createPacketQueue } from "@forgeline/server/edges/git-ssh/packet-queue.ts";

test("who has more than a turn's work goes on behind all that wait", async () => {
  const turns = createPacketQueue(10);
  const worked: string[] = [];
  const work = (name: string, times: number) => {
    worked.push(name);
    turns.spend(10);
    if (times > 1) turns.next(() => work(name, times - 1));
  };
  turns.spend(10);
  expect(turns.isOver()).toBe(true);
  turns.next(() => work("a", 3));
  turns.next(() => work("b", 2));
  expect(worked).toEqual([]);
  const after: number[] = [];
  while (worked.length < 5) {
    await turn();
    after.push(worked.length);
  }
  expect(worked.join("")).toBe("ababa");
  expect(after.every((count, n) => count - (after[n - 1] ?? 0) <= 1)).toBe(true);
  await turn();
  expect(turns.isOver()).toBe(false);
});

test("in one turn several go on whose work is little", async () => {
  const turns = createPacketQueue(10);
  turns.spend(10);
  let worked = 0;
  for (let n = 0; n < 5; n++) turns.next(() => void (worked += 1));
  await turn();
  expect(worked).toBe(5);
});
