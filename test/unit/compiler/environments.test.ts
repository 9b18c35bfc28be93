/** Names, addresses and variables of environments. */
import { expect, test } from "vitest";
import {
  environmentProblem,
  environmentUrlProblem,
  renderEnvironment,
} from "@forgeline/compiler/environment-name.ts";
import { eventAt } from "@forgeline/compiler/environment-variables.ts";
import { contextsOf } from "@forgeline/compiler/plan-language.ts";
import { compile } from "@forgeline/compiler/compile.ts";
import { plainEvent } from "../../support/plain-event.ts";

const event = {
  ...plainEvent("a".repeat(40)),
  variables: { A: "repository", GIVEN: "run" },
  variableLevels: { A: "repository" as const },
  environmentVariables: { live: { A: "live", GIVEN: "live", ONLY: "live" }, other: { B: "other" } },
};

test("names are parts of addresses", () => {
  for (const name of ["a", "Review-1.2_x", "9", "a".repeat(100)]) expect(environmentProblem(name)).toBeNull();
  for (const name of ["", " ", "-a", ".a", "a/b", "ä", "a b", "a".repeat(101)])
    expect(environmentProblem(name)).toContain("cannot be the name of an environment");
});

test("addresses are of the web, without passwords", () => {
  expect(environmentUrlProblem("https://example.com/x?y=1")).toBeNull();
  for (const url of [
    "",
    "example.com",
    "javascript:alert(1)",
    "https://a:b@example.com",
    `https://${"a".repeat(2000)}`,
  ])
    expect(environmentUrlProblem(url)).toContain("must begin with http");
});

test("both are evaluated, and judged when they are", () => {
  const contexts = contextsOf({
    event: { ...event, branch: "feature/x" },
    pipeline: { id: "", number: 1, name: "", url: "" },
    needs: {},
    matrix: { at: "north" },
  });
  const render = (name: string, url: string | null = null) => renderEnvironment({ name, url }, contexts);
  expect(render("live-${{ matrix.at }}", "https://${{ matrix.at }}.example.com")).toEqual({
    environment: { name: "live-north", url: "https://north.example.com" },
  });
  expect(() => render("review-${{ branch }}")).toThrow('"review-feature/x" cannot be the name');
  expect(() => render("a", "${{ branch }}")).toThrow("must begin with http");
  expect(renderEnvironment(undefined, contexts)).toEqual({});
});

test("a job has the variables of its own environment alone, below what the run was given", () => {
  expect(eventAt(event, "LIVE")).toMatchObject({
    variables: { A: "live", GIVEN: "run", ONLY: "live" },
    variableLevels: { A: "environment", ONLY: "environment" },
  });
  expect(eventAt(event, "LIVE")).not.toHaveProperty("environmentVariables");
  expect(eventAt(event, null).variables).toEqual(event.variables);
  expect(eventAt(event, "unknown").variables).toEqual(event.variables);
});

test("a file may name them where the job has them, and nowhere else", () => {
  const codes = (job: string, top = "") =>
    compile({
      file: "f",
      text: `${top}jobs: { a: { image: x, steps: [x], ${job} } }`,
      event,
    }).diagnostics.map(({ code }) => code);
  const only = 'env: { X: "${{ vars.ONLY }}" }';
  expect(codes(`environment: Live, ${only}`)).toEqual([]);
  expect(codes(`environment: "\${{ branch }}", ${only}`)).toEqual([]);
  expect(codes(`environment: other, ${only}`)).toEqual(["P202"]);
  expect(codes(only)).toEqual(["P202"]);
  expect(codes("environment: live", `${only}\n`)).toEqual(["P202"]);
  expect(codes('environment: live, name: "${{ vars.ONLY }}"')).toEqual(["P202"]);
});
