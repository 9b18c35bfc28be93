/** What `npm test` is asked to run: parts of paths, or with `--changed` what a change can touch. */
import { join } from "node:path";
import { readKnownSeconds } from "../costs/known-seconds.ts";
import { changedFiles } from "./changed-files.ts";
import { chooseTests } from "./choose.ts";
import { expectedRunSeconds, expectedSeconds } from "./expected-seconds.ts";
import { scenariosAlone, withScenarios } from "./scenarios.ts";
import { describeChoice } from "./describe-choice.ts";
import { readTree } from "./tree.ts";

const root = join(import.meta.dirname, "../../..");
const option = /^--changed(?:=(?<ref>.+))?$/;

/** `undefined`: nothing is to be run. Rejects where the question is wrong or a source cannot be parsed. */
export async function requestedFiles(
  args: readonly string[],
  say: (line: string) => void,
): Promise<readonly string[] | undefined> {
  const asked = args.map((arg) => option.exec(arg)).find((match) => match !== null);
  if (!asked) return args;
  if (args.length > 1) throw new Error("--changed chooses the files itself: name none beside it");
  const { since, files: changed } = await changedFiles(root, asked.groups?.["ref"]);
  const tree = await readTree(root);
  const scenarios = scenariosAlone(root, tree, changed);
  // Read by the test that plays them, in a process of its own.
  if (scenarios.length > 0) process.env["FORGELINE_TEST_SCENARIOS"] = scenarios.join(",");
  const seconds = withScenarios(scenarios, expectedSeconds(await readKnownSeconds()));
  const choice = chooseTests(tree, changed, seconds);
  const chosen = [...choice.tests.keys()];
  const told = {
    ...choice,
    since,
    changed,
    all: tree.tests.length,
    seconds: expectedRunSeconds(chosen, seconds),
  };
  for (const line of describeChoice(told)) say(line);
  return chosen.length === 0 ? undefined : chosen;
}
