/** A changed scenario is played alone: all of them take two minutes, and each says nothing about the others. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { candidatesOf, maxDistance } from "./candidates.ts";
import type { Seconds } from "./choose.ts";
import type { Tree } from "./tree.ts";

const scenarioTest = "test/integration/scenarios.test.ts";
const secondsOfInstance = 20;
const secondsOfOne = 4;
const max = 6;

/** Their names; none where all are to be played, since something else leads to them or since they are many. */
export function scenariosAlone(root: string, tree: Tree, changed: readonly string[]): string[] {
  const nameOf = (file: string) => /^test\/scenarios\/([^/]+)\//.exec(file)?.[1];
  const names = new Set(changed.flatMap((file) => nameOf(file) ?? []));
  const there = [...names].filter((name) => existsSync(join(root, "test/scenarios", name)));
  const isAskedBy = (file: string) =>
    nameOf(file) === undefined &&
    candidatesOf(tree, file).some(({ test, distance }) => test === scenarioTest && distance < maxDistance);
  return there.length > max || changed.some(isAskedBy) ? [] : there;
}

/** The time of their test with these names. */
export function withScenarios(names: readonly string[], seconds: Seconds): Seconds {
  if (names.length === 0) return seconds;
  return (test) => (test === scenarioTest ? secondsOfInstance + names.length * secondsOfOne : seconds(test));
}
