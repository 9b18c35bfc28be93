/** Conditions and texts of other systems in our language, one by one. */
import { describe, expect, test } from "vitest";
import { attempt } from "@forgeline/compiler/convert/cannot.ts";
import { whenOf } from "@forgeline/compiler/convert/github/conditions.ts";
import type { Known } from "@forgeline/compiler/convert/github/known.ts";
import { translateScript } from "@forgeline/compiler/convert/github/texts.ts";
import { ruleVariables } from "@forgeline/compiler/convert/gitlab/variables.ts";
import { duration, workspacePath } from "@forgeline/compiler/convert/values.ts";
import { translateVariables } from "@forgeline/compiler/convert/variable-expression.ts";

const known: Known = {
  matrix: new Map([["node-version", "node_version"]]),
  needs: new Map([["a", { id: "a", outputs: new Set(["v"]), hasMatrix: true }]]),
  steps: new Map([["s", "s"]]),
  inputs: new Map([["flag", "boolean"]]),
  env: new Map([["LEVEL", "debug"]]),
};

describe("if of GitHub", () => {
  test.each([
    ["always()", { status: "always" }],
    ["${{ failure() && inputs.flag }}", { status: "failure", if: "inputs.flag" }],
    ["!cancelled()", [{ status: "success" }, { status: "failure" }]],
    ["github.ref == 'refs/heads/main'", "branch == 'main'"],
    ["github.ref != 'refs/tags/v1'", "tag != 'v1'"],
    ["startsWith(github.ref, 'refs/tags/')", "tag != ''"],
    [
      "github.event_name == 'push' && matrix.node-version == 22",
      "(event == 'push' || event == 'tag') && matrix.node_version == '22'",
    ],
    ["env.LEVEL == 'debug'", null],
    ["inputs.flag == 'true'", "inputs.flag == true"],
    ["needs.a.result == 'failure'", "needs.a.result == 'failed'"],
    ["needs.a.outputs.v == '1'", "needs.a.outputs.v[0] == '1'"],
  ])("%s", (text, when) => expect(whenOf(text, known)).toEqual(when));

  test.each([
    "secrets.A != ''",
    "github.event.pull_request.draft",
    "a.*.b",
    "cancelled()",
    "matrix.absent == 1",
  ])("%s cannot be said", (text) => expect(attempt(() => whenOf(text, known))).toHaveProperty("problem"));
});

test("expressions in scripts become variables, quotes and all", () => {
  const script = translateScript(
    "echo '${{ matrix.node-version }}' ${{ env.LEVEL }}x ${{ secrets.KEY }} ${{ runner.os }}",
    known,
    "bash",
  );
  expect(script.run).toBe("echo ''\"$MATRIX_NODE_VERSION\"'' ${LEVEL}x $KEY Linux");
  expect(Object.fromEntries(script.env)).toEqual({ MATRIX_NODE_VERSION: "${{ matrix.node_version }}" });
  expect([...script.secrets]).toEqual(["KEY"]);
});

describe("rules of GitLab", () => {
  const variables = ruleVariables({ known: new Map([["A", "1"]]), matrix: new Set(), unknown: new Set() });
  test.each([
    ['$CI_PIPELINE_SOURCE == "web"', "event == 'manual'"],
    ["$CI_COMMIT_TAG =~ /^v\\d/i", "matches(tag, '(?i)^v\\d')"],
    [
      "$A == '2' || ($B && !$CI_COMMIT_TAG)",
      "coalesce(vars.A, '1') == '2' || coalesce(vars.B, '') != '' && tag == ''",
    ],
    ["$B == null", "coalesce(vars.B, '') == ''"],
  ])("%s", (text, ours) => expect(translateVariables(text, variables).text).toBe(ours));

  test.each(["$CI_COMMIT_REF_PROTECTED", "$A ==", "((", "$A =~ /(?=x)/"])("%s cannot be said", (text) =>
    expect(attempt(() => translateVariables(text, variables))).toHaveProperty("problem"),
  );
});

test("lengths of time", () => {
  expect(["1h 30m", "3 hours 30 minutes", "1 week", "90", "soon"].map(duration)).toEqual([
    "1h30m",
    "3h30m",
    "7d",
    "90s",
    null,
  ]);
});

test("paths of artifacts", () => {
  expect(["dist/", "./a/*", "$CI_PROJECT_DIR/x", "/tmp/x", "~/x", "../x", "."].map(workspacePath)).toEqual([
    "dist/**",
    "a/*",
    "x",
    null,
    null,
    null,
    "**",
  ]);
});
