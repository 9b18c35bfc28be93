/**
 * `node test/support/changed/measure.ts [commits]`: what `--changed` would choose for each mutant's file, for each source of the
 * product, and for each of the last commits, on today's sources. Prints how many mutants it catches, and how long the runs
 * would take.
 */
import { join } from "node:path";
import { run } from "@forgeline/launcher/run.ts";
import { mutants } from "../../mutants/all.ts";
import { readKnownSeconds } from "../costs/known-seconds.ts";
import { chooseTests } from "./choose.ts";
import { expectedRunSeconds, expectedSeconds } from "./expected-seconds.ts";
import { readTree } from "./tree.ts";

const root = join(import.meta.dirname, "../../..");
const count = process.argv[2] ?? "100";
const productFolders =
  "cli clients compiler keyring launcher markdown runner schemas server web/src workflows".split(" ");
const tree = await readTree(root);
const seconds = expectedSeconds(await readKnownSeconds());

const chosenFor = (...changed: string[]) => [...chooseTests(tree, changed, seconds).tests.keys()];
const choices = mutants.map((mutant) => {
  const chosen = chosenFor(mutant.file);
  return { mutant, chosen, isCaught: mutant.tests.some((test) => chosen.includes(test)) };
});
for (const { mutant, isCaught } of choices)
  if (!isCaught) console.log(`not caught: ${mutant.name} (${mutant.file}): ${mutant.tests.join(", ")}`);
console.log(`${choices.filter(({ isCaught }) => isCaught).length} of ${mutants.length} mutants caught`);
const perFile = new Map(choices.map(({ mutant, chosen }) => [mutant.file, chosen]));
report(`${perFile.size} files of mutants`, [...perFile.values()]);

const listed = (await run("git", ["ls-files", ...productFolders], { cwd: root })).trim().split("\n");
const sources = listed.filter((path) => /\.(?:tsx?|css|sql)$/.test(path) && !path.includes("/generated/"));
report(
  `${sources.length} sources`,
  sources.map((path) => chosenFor(path)),
);

const commits = (await run("git", ["log", `-${count}`, "--format=%h"], { cwd: root })).trim().split("\n");
const ofCommits: string[][] = [];
for (const commit of commits) {
  const args = ["diff-tree", "--no-commit-id", "--name-only", "--no-renames", "-r", commit];
  const changed = (await run("git", args, { cwd: root })).trim().split("\n");
  const chosen = chosenFor(...changed);
  const expected = expectedRunSeconds(chosen, seconds);
  if (expected > 60)
    console.log(`${commit} ${changed.length} files: ${chosen.length} tests, ${expected.toFixed(0)} s`);
  ofCommits.push(chosen);
}
report(`${commits.length} commits`, ofCommits);

function report(what: string, chosen: readonly string[][]): void {
  const all = chosen.map((tests) => expectedRunSeconds(tests, seconds)).toSorted((a, b) => a - b);
  const at = (share: number) => (all[Math.floor((all.length - 1) * share)] ?? 0).toFixed(0);
  const under = all.filter((one) => one <= 60).length;
  console.log(
    `${what}: ${under} under a minute; median ${at(0.5)} s, nine of ten ${at(0.9)} s, longest ${at(1)} s`,
  );
}
