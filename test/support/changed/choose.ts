/**
 * The test files for a set of changed files: all that are near, and of those far away as many as there is time for. What is
 * left out is counted: the whole run finds what it would have found.
 */
import { dirname } from "node:path";
import { candidatesOf, maxDistance, type Candidate } from "./candidates.ts";
import type { Tree } from "./tree.ts";
import { checksWholeTree, affectsAllTests } from "./whole.ts";

export interface Choice {
  /** Each test file with why it was chosen. */
  tests: ReadonlyMap<string, string>;
  /** Test files that the change might touch too, and that would take too long. */
  leftOut: number;
  /** A changed file that can touch everything. */
  touchingAll?: string;
}

/** What a test file takes. Two run at a time, and starting the bed takes its part of a minute. */
export type Seconds = (test: string) => number;
const lanes = 2;
/** Of both lanes; with the bed it is about a minute. */
const timeSeconds = 100;
/** Of one changed file: near tests beyond these are taken like those far away. */
const nearSeconds = 45;
/** Where the near ones take longer than this, too many are near to tell anything. */
const wideSeconds = 120;
/** A guess may take this: for one that takes long there are several others. */
const cheapSeconds = 21;

export function chooseTests(tree: Tree, changed: readonly string[], seconds: Seconds): Choice {
  const tests = new Map<string, string>();
  if (changed.length === 0) return { tests, leftOut: 0 };
  for (const test of tree.tests) if (checksWholeTree(test)) tests.set(test, "look at everything");
  const waiting: Candidate[] = [];
  for (const file of changed) {
    const candidates = candidatesOf(tree, file);
    const sure = sureOf(candidates, seconds);
    for (const { test, why } of sure) tests.set(test, why);
    waiting.push(...candidates);
  }
  const touchingAll = changed.find(affectsAllTests);
  if (touchingAll !== undefined) {
    for (const test of tree.tests)
      if (test.startsWith("test/unit/") && !tests.has(test)) tests.set(test, "unit tests");
    waiting.push(...fromEachFolder(tree, seconds));
  }
  const leftOut = addWhileThereIsTime(tests, waiting, seconds);
  return { tests, leftOut, ...(touchingAll === undefined ? {} : { touchingAll }) };
}

/** What changed itself; the nearest, so that no change goes without a test; and of the near ones what fits beside it. */
function sureOf(candidates: readonly Candidate[], seconds: Seconds): Candidate[] {
  const sure: Candidate[] = [];
  const near = candidates.filter(({ distance }) => distance < maxDistance);
  const isWide = near.reduce((total, { test }) => total + seconds(test), 0) > wideSeconds;
  let left = isWide ? 0 : nearSeconds;
  for (const candidate of byDistance(candidates, seconds)) {
    const { test, distance } = candidate;
    const isOnly = sure.length === 0 && (distance < maxDistance || seconds(test) < cheapSeconds);
    if (distance === 0 || isOnly || (distance < maxDistance && seconds(test) <= left)) {
      sure.push(candidate);
      left -= seconds(test);
    }
  }
  return sure;
}

/** Returns how many did not fit. */
function addWhileThereIsTime(
  tests: Map<string, string>,
  waiting: readonly Candidate[],
  seconds: Seconds,
): number {
  const chosen = [...tests.keys()].map(seconds);
  // Beside a long one there is time in the other lane.
  let left = Math.max(timeSeconds, lanes * Math.max(0, ...chosen));
  for (const one of chosen) left -= one;
  const leftOut = new Set<string>();
  for (const { test, why, distance } of byDistance(waiting, seconds)) {
    if (tests.has(test)) continue;
    const max = distance < maxDistance ? timeSeconds / lanes : cheapSeconds;
    if (seconds(test) > Math.min(left, max)) leftOut.add(test);
    else {
      tests.set(test, why);
      left -= seconds(test);
    }
  }
  return leftOut.size;
}

/** The cheapest of each folder. */
function fromEachFolder({ tests }: Tree, seconds: Seconds): Candidate[] {
  const folders = Object.values(Object.groupBy(tests, (test) => dirname(test)));
  return folders.flatMap((list = []) => {
    const [cheapest] = list.toSorted((a, b) => seconds(a) - seconds(b));
    return cheapest === undefined ? [] : [{ test: cheapest, why: "of each folder", distance: maxDistance }];
  });
}

function byDistance(candidates: readonly Candidate[], seconds: Seconds): Candidate[] {
  return candidates.toSorted((a, b) => a.distance - b.distance || seconds(a.test) - seconds(b.test));
}
