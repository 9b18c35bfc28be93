import { describe, expect, it, test } from "vitest";
import { expandMatrix } from "@forgeline/compiler/expand-matrix.ts";
import { combine, combinationName, MatrixProblem } from "@forgeline/compiler/matrix.ts";
import type { Value } from "@forgeline/compiler/expression/values.ts";

const lists = { values: [], include: [], exclude: [] };
const values = (of: Record<string, string[]>) => Object.entries(of).map(([name, list]) => ({ name, list }));

describe("combinations", () => {
  it("come in the order of the file, the first name slowest", () => {
    expect(combine({ ...lists, values: values({ a: ["1", "2"], b: ["x", "y"] }) })).toEqual([
      { a: "1", b: "x" },
      { a: "1", b: "y" },
      { a: "2", b: "x" },
      { a: "2", b: "y" },
    ]);
  });

  it("are left out by any values that exclude names", () => {
    const all = { values: values({ a: ["1", "2"], b: ["x", "y"] }), include: [] };
    expect(combine({ ...all, exclude: [{ a: "1" }] })).toEqual([
      { a: "2", b: "x" },
      { a: "2", b: "y" },
    ]);
    expect(combine({ ...all, exclude: [{ a: "1", b: "x" }, { b: "y" }] })).toEqual([{ a: "2", b: "x" }]);
  });

  it("are extended by what include says of their values, and added to where none has them", () => {
    const include = [{ a: "1", c: "more" }, { d: "all" }, { a: "3", b: "z" }, { a: "3", b: "z" }];
    expect(combine({ values: values({ a: ["1", "2"] }), include, exclude: [] })).toEqual([
      { a: "1", c: "more", d: "all" },
      { a: "2", d: "all" },
      { a: "3", b: "z" },
    ]);
  });

  it("come once each", () => {
    expect(combine({ ...lists, values: values({ a: ["1", "1", "2"] }) })).toEqual([{ a: "1" }, { a: "2" }]);
  });
});

test.each<[string, Parameters<typeof combine>[0]]>([
  ["320 combinations", { ...lists, values: values({ a: Array.from({ length: 320 }, (_, i) => String(i)) }) }],
  [
    "100000000 combinations",
    {
      ...lists,
      values: Array.from({ length: 8 }, (_, i) => ({ name: `n${i}`, list: "0123456789".split("") })),
    },
  ],
  ["21 names", { ...lists, values: Array.from({ length: 21 }, (_, i) => ({ name: `n${i}`, list: ["1"] })) }],
])("%s are too many", (said, of) => {
  const problem = (() => {
    try {
      return combine(of);
    } catch (error) {
      return error;
    }
  })();
  expect(problem).toBeInstanceOf(MatrixProblem);
  expect(problem).toMatchObject({ isTooLarge: true, message: expect.stringContaining(said) as string });
});

describe("values that another job gives", () => {
  const given = (value: Value, source: Parameters<typeof expandMatrix>[0] = "${{ given }}") =>
    expandMatrix(source, { names: { given: JSON.stringify(value), value }, changedPaths: null });
  const whole = (value: Value) => given(value, "${{ fromJson(given) }}");

  it("may be one list, a whole matrix, or a list of combinations", () => {
    const list = { values: [{ name: "v", list: "${{ fromJson(given) }}" }], include: [], exclude: [] };
    expect(given(["1", 2, true], list)).toEqual([{ v: "1" }, { v: "2" }, { v: "true" }]);
    expect(whole({ v: [1, 2], exclude: [{ v: 2 }], include: [{ w: "x" }] })).toEqual([{ v: "1", w: "x" }]);
    expect(whole([{ a: 1 }, { a: 2, b: 3 }])).toEqual([{ a: "1" }, { a: "2", b: "3" }]);
    expect(whole([])).toEqual([]);
    expect(whole({ v: [] })).toEqual([]);
  });

  it.each<[string, Value, string]>([
    ["a number", 7, "must be a mapping or a list, not number"],
    ["a list of texts", ["a"], "must be a mapping of names to values"],
    ["nested lists", { v: [["x"]] }, 'a value of "v" must be text'],
    ["null", { v: [null] }, 'a value of "v" must be text'],
    ["no list", { v: "x" }, "must be a list, not string"],
    ["a wrong name", { "a b": ["x"] }, "must be a name of letters"],
    ["a wrong name in include", { include: [{ "1": "x" }] }, "must be a name of letters"],
    ["very long text", { v: ["x".repeat(1001)] }, "at most 1000 characters"],
    [
      "long texts",
      [Object.fromEntries("abcdefgh".split("").map((name) => [name, "x".repeat(600)]))],
      "at most 4000",
    ],
    ["NUL", { v: ["\0"] }, "at most 1000 characters"],
    ["very many values", { v: Array.from({ length: 5000 }, (_, i) => i) }, "at most 256"],
    ["very many combinations", Array.from({ length: 300 }, (_, i) => ({ v: i })), "at most 256"],
  ])("%s: refused with a sentence", (_what, value, sentence) => {
    expect(() => whole(value)).toThrow(sentence);
  });
});

test("the name of a combination has its values, unless it says them itself", () => {
  expect(combinationName("unit", { node: "20", os: "linux" })).toBe("unit (20, linux)");
  expect(combinationName("unit on ${{ matrix.os }}", { os: "linux" })).toBe("unit on ${{ matrix.os }}");
  expect(combinationName("matrix", { os: "linux" })).toBe("matrix (linux)");
  expect(combinationName("unit", null)).toBe("unit");
  expect(combinationName("unit", { v: "x".repeat(500) }).length).toBeLessThan(200);
});
