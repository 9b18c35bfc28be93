import { expect, it } from "vitest";
import { chooseJobToEnd } from "@forgeline/runner/choose-job-to-end.ts";

const mib = 1024 * 1024;
const partBytes = 100 * mib;
const taken = (sizes: Record<string, number>) =>
  Object.entries(sizes).map(([job, mebibytes]) => ({
    job,
    bytes: mebibytes * mib,
    allBytes: mebibytes * mib,
  }));
const blamedOf = (sizes: Record<string, number>, lostMib: number) =>
  chooseJobToEnd(taken(sizes), { lostBytes: lostMib * mib, partBytes })?.job ?? null;

it.each([
  ["the largest where the counts explain what the disk lost", { small: 20, large: 90 }, 120, "large"],
  ["the largest where they explain three quarters of it", { small: 30, large: 60 }, 120, "large"],
  ["nobody where somebody hides what he takes", { thief: 1, victim: 20 }, 425, null],
  ["nobody where half of it is hidden", { thief: 1, victim: 90 }, 180, null],
  ["one over its part, whatever is hidden", { thief: 1, greedy: 101 }, 5_000, "greedy"],
  ["nobody within its part where the loss is not known", { a: 20, b: 99 }, Infinity, null],
  ["one that cannot be counted", { hidden: Infinity, b: 99 }, 100, "hidden"],
  ["neither of two that cannot be counted", { a: Infinity, b: Infinity, c: 20 }, 100, null],
  ["nobody who takes little", { a: 3, b: 15 }, 0, null],
  ["nobody where there is nobody", {}, 100, null],
] as const)("blames %s", (_who, sizes, lostMib, who) => {
  expect(blamedOf(sizes, lostMib)).toBe(who);
});

it("blames one over its part where it takes most of this disk, whatever the disks it lies on", () => {
  const large = { job: "large", bytes: 60 * mib, allBytes: 101 * mib };
  expect(chooseJobToEnd([large], { lostBytes: Infinity, partBytes })).toBe(large);
});
