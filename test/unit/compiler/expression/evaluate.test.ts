import { evaluate } from "@forgeline/compiler/expression/evaluate.ts";
import { parseExpression } from "@forgeline/compiler/expression/parse.ts";
import { ExpressionProblem } from "@forgeline/compiler/expression/problem.ts";
import { buildContexts, type Value } from "@forgeline/compiler/expression/values.ts";
import { describe, expect, test } from "vitest";
import { exampleEvent } from "../example-event.ts";

const contexts = buildContexts({
  event: exampleEvent(),
  pipeline: { id: "pipe_1", number: 7, name: "forgeline" },
  needs: {
    "my-job": { result: "success", outputs: { version: "1.2" } },
    "2nd": { result: "skipped", outputs: {} },
  },
  steps: { one: { result: "success", outputs: {} } },
});
const value = (text: string): Value => evaluate(parseExpression(text), contexts);
function problemOf(text: string): ExpressionProblem {
  try {
    value(text);
  } catch (error) {
    if (error instanceof ExpressionProblem) return error;
    throw error;
  }
  throw new Error(`${text} gave a value`);
}

test.each<[string, Value]>([
  ["'it''s'", "it's"],
  ['"say ""hi"""', 'say "hi"'],
  ["-1.5 + 2", 0.5],
  ["'a' + 'b'", "ab"],
  ["1 < 2 && 2 <= 2 && 'a' < 'b'", true],
  ["true || false && false", true],
  ["(true || false) && false", false],
  ["!false == true", true],
  ["!(1 == 1)", false],
  ["null == null", true],
  ["branch == repo.default_branch", true],
  ["repo['full_name']", "acme/rocket"],
  ["tag == ''", true],
  ["needs.my-job.outputs.version", "1.2"],
  ["needs.2nd.result", "skipped"],
  ["needs.2nd.outputs.nothing", null],
  ["steps.one.outputs.nothing == null", true],
  ["pipeline.number >= 7", true],
  ["inputs.count + 1", 4],
  ["fromJson(vars.LIST)[1]", "b"],
  ["contains(fromJson(vars.LIST), 'a')", true],
  ["contains('abc', 'bc')", true],
  ["startsWith(branch, 'ma') && endsWith(branch, 'in')", true],
  ["matches('v1.2', '^v[0-9]+')", true],
  ["matches('xv1', '^v')", false],
  ["format('{0}-{1} {{0}}', branch, 5)", "main-5 {0}"],
  ["join(fromJson(vars.LIST), '+')", "a+b"],
  ["join(fromJson('[1,null,[2]]'))", "1,,[2]"],
  ["toJson(fromJson('{\"a\":[1]}'))", '{"a":[1]}'],
  ["coalesce(vars.NOPE, tag, 'd')", "d"],
  ["coalesce(vars.REGION, 'd')", "eu"],
  ["coalesce(vars.A.b, null)", null],
  ["changed('src/**')", true],
  ["fromJson('[1]') == fromJson('[1]')", true],
  ["false && fromJson('broken') == 1", false],
  ["branch == 'main' && 90 || 50", 90],
  ["branch == 'x' && 90 || 50", 50],
  ["branch == 'main' && 0 || 50", 0],
  ["branch == 'main' && null || 'x'", null],
  ["branch == 'x' && 1 || branch == 'main' && 2 || 3", 2],
  ["branch == 'x' && 1 || tag != '' && 2 || 3", 3],
  ["format('{0}', (true && 'a' || 'b') + 'c')", "ac"],
])("%s", (text, expected) => {
  expect(value(text)).toEqual(expected);
});

test.each([
  ["vars.NOPE", "P202", 'there is no "NOPE" here'],
  ["vars.toString", "P202", 'there is no "toString" here'],
  ["vars['__proto__']", "P202", 'there is no "__proto__" here'],
  ["nope", "P207", '"nope" is not known here'],
  ["constructor", "P207", '"constructor" is not known here'],
  ["inputs.count && true", "P204", "must be true or false, but is number"],
  ["1 + 'a'", "P204", "+ needs two numbers or two texts, not number and string"],
  ["fromJson('{')", "P204", "the text is not JSON"],
  ["format('{5}', 1)", "P204", "argument 7 of format must be a plain value, but is null"],
  ["nope()", "P203", "unknown function nope"],
  ["fromJson('[1]')[5]", "P202", 'there is no "5" here'],
])("%s is a problem", (text, code, message) => {
  expect(problemOf(text)).toMatchObject({ code, message });
});

describe("the budget", () => {
  test("text cannot grow without end", () => {
    const twice = (text: string): string => `format('{0}{0}', ${text})`;
    let text = `'${"x".repeat(1000)}'`;
    for (let i = 0; i < 20; i += 1) text = twice(text);
    expect(problemOf(text).message).toMatch(/too long|takes too long/);
  });
  test("nesting is capped", () => {
    expect(problemOf("(".repeat(5000)).message).toBe("nested deeper than 64 levels");
    expect(problemOf("!".repeat(5000)).message).toBe("nested deeper than 64 levels");
    expect(problemOf(`'${"x".repeat(20_000)}'`).message).toMatch("longer than 10000 characters");
  });
  test("a long chain is counted", () => {
    expect(value(Array.from({ length: 1000 }, () => "1").join("+"))).toBe(1000);
  });
  test("regular expressions are capped in size and work", () => {
    expect(problemOf(`matches('a', '${"a".repeat(600)}')`).message).toMatch("512 characters");
    expect(problemOf("matches('a', '((a{100}){100}){100}')").code).toBe("P208");
    expect(value(`matches('${"a".repeat(2000)}', '(a*)*b')`)).toBe(false);
  });
  test("many changed paths and globs end", () => {
    const changedPaths = Array.from({ length: 50_000 }, (_, i) => `some/long/path/of/file-${i}.ts`);
    const many = buildContexts({ event: exampleEvent({ changedPaths }) });
    expect(() =>
      evaluate(parseExpression(`changed(${Array(100).fill("'*a*b*c*d'").join(",")})`), many),
    ).toThrow("takes too long");
  });
});
