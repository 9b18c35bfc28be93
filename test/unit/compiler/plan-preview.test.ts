/** What a plan says where something is known only during the run. */
import { expect, test } from "vitest";
import { planFile } from "@forgeline/compiler/plan-file.ts";
import { maxPreviewedSteps } from "@forgeline/compiler/preview-steps.ts";
import { plainEvent } from "../../support/plain-event.ts";

function planned(text: string): string[] {
  const event = plainEvent("a".repeat(40));
  const { result, errors } = planFile({ file: ".forgeline.yml", text, event, inputs: {} });
  expect([result.valid, errors, result.diagnostics.filter(({ severity }) => severity === "error")]).toEqual([
    true,
    [],
    [],
  ]);
  return result.nodes
    .filter(({ node }) => node === "job" || node === "step")
    .map(({ node, name, runs, undecided }) => `${node} ${name}: ${undecided ? "?" : ""}${String(runs)}`);
}

test("combinations that outputs decide, and conditions on them, count as what runs", () => {
  const text = `defaults: { image: busybox }
jobs:
  list: { steps: [{ id: s, run: "true" }], outputs: { all: "\${{ steps.s.outputs.all }}" } }
  each:
    needs: [list]
    matrix: { os: "\${{ fromJson(needs.list.outputs.all) }}" }
    when: { matrix: { os: linux } }
    steps:
      - { name: mine, run: "true", when: { matrix: { os: linux } } }
      - { name: asked, run: "true", when: "matrix.os == 'linux'" }
      - { name: both, run: "true", when: { matrix: { os: linux }, branch: other } }
      - { name: here, run: "true", when: { branch: main } }
  not: { needs: [list], matrix: { os: "\${{ fromJson(needs.list.outputs.all) }}" }, when: { matrix: { os: a }, branch: other }, steps: ["true"] }
`;
  expect(planned(text)).toEqual([
    "job list: true",
    "job each: true",
    "step mine: ?true",
    "step asked: ?true",
    "step both: false",
    "step here: true",
    "job not: false",
  ]);
});

test("of several clauses one that holds is enough, and one that may hold is not yet an answer", () => {
  const told = (...clauses: string[]) =>
    planned(`image: busybox\nsteps: [{ run: "true", when: [${clauses.join(", ")}] }]\n`).at(-1);
  const unknown = '{ if: "pipeline.number > 3" }';
  const never = "{ branch: other }";
  expect(told(unknown, "{ branch: main }")).toBe("step true: true");
  expect(told(unknown, never)).toBe("step true: ?true");
  expect(told(never)).toBe("step true: false");
  expect(told(never, "{ status: failure }")).toBe("step true: ?false");
  expect(told("{ status: failure, branch: other }")).toBe("step true: false");
  expect(told("{ status: always }")).toBe("step true: true");
});

test("a plan has so many steps at most", () => {
  const step = '{ run: "true", when: { branch: main } }';
  const steps = Array.from({ length: 50 }, () => step).join(", ");
  const values = Array.from({ length: 60 }, (_, n) => `"${n}"`).join(", ");
  const nodes = planned(`jobs: { many: { image: busybox, matrix: { n: [${values}] }, steps: [${steps}] } }`);
  expect(nodes.filter((one) => one.startsWith("step"))).toHaveLength(maxPreviewedSteps);
  expect(nodes.filter((one) => one.startsWith("job"))).toHaveLength(60);
});
