/** Which jobs `forgeline exec --job` runs: what is named, and what that depends on. */
import { expect, it } from "vitest";
import { labelOf, newRun } from "@forgeline/cli/exec/local-run.ts";
import { selectJobs } from "@forgeline/cli/exec/select-jobs.ts";
import { compile } from "@forgeline/compiler/compile.ts";
import { plainEvent } from "../../../support/plain-event.ts";

const text = `stages: [a, b, { name: side, needs: [] }, c]
defaults: { image: i }
jobs:
  first: { stage: a, steps: [x] }
  wide: { stage: b, matrix: { n: ["1", "2"] }, steps: [x] }
  free: { stage: b, needs: [], steps: [x] }
  one: { stage: c, needs: [{ job: wide, matrix: { n: "2" } }], steps: [x] }
  open: { stage: side, matrix: { n: "\${{ fromJson(vars.LIST) }}" }, steps: [x] }
  last: { stage: c, steps: [x] }
`;

function chosen(names: string[], withNeeds = true): string[] {
  const event = { ...plainEvent("0".repeat(40)), variables: { LIST: "[]" } };
  const { plan, diagnostics } = compile({ file: ".forgeline.yml", text, event });
  if (!plan) throw new Error(JSON.stringify(diagnostics));
  const run = newRun(plan, event, {
    approved: false,
    debug: false,
    openNetwork: false,
    privileged: false,
    secrets: {},
  });
  selectJobs(run, { names, withNeeds });
  return run.jobs.map((job) => `${labelOf(job)}${job.kept ? " kept" : ""}`);
}

it("runs everything where nothing is named", () => {
  expect(chosen([])).toEqual(["first", "wide (1)", "wide (2)", "free", "one", "open", "last"]);
});

it("takes needs instead of the order of stages, as far as the need means a combination", () => {
  expect(chosen(["one"])).toEqual(["first", "wide (2)", "one"]);
  expect(chosen(["free"])).toEqual(["free"]);
  expect(chosen(["open"])).toEqual(["open"]);
});

it("takes all jobs of earlier stages where the file says nothing else", () => {
  expect(chosen(["wide (1)"])).toEqual(["first", "wide (1)"]);
  expect(chosen(["last"])).toEqual(["open", "last"]);
});

it("counts what is left out as done, so that the rest can start", () => {
  expect(chosen(["one"], false)).toEqual(["first kept", "wide (2) kept", "one"]);
  expect(chosen(["one", "first"], false)).toEqual(["first", "wide (2) kept", "one"]);
});

it("names the jobs that there are", () => {
  expect(() => chosen(["wid"])).toThrow(
    "no job is named wid. Jobs here: first, wide, free, one, open, last.",
  );
});
