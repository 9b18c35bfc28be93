import { compile } from "@forgeline/compiler/compile.ts";
import { limits } from "@forgeline/compiler/limits.ts";
import { expect, test } from "vitest";

const codesOf = (text: string): string[] => compile({ file: "f", text }).diagnostics.map((one) => one.code);
const many = (count: number, line: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => line(i)).join("\n");
const group = (count: number): string => `  - parallel: [${"x,".repeat(count)}]`;
const steps = (count: number): string => `image: a\nsteps:\n${many(count, (i) => `  - echo ${i}`)}`;
const labels = (count: number, length: number): string =>
  `jobs:\n  a:\n    image: a\n    steps: [x]\n    runner: [${many(count, (i) => `        ${String(i).padStart(length, "x")},`)} ]`;
const labelMap = (count: number, length: number): string =>
  `defaults:\n  image: a\n  runner: {${many(count, (i) => `    k${i}: ${"x".repeat(length)},`)} }\njobs: { a: { steps: [x] } }`;
const inputs = (count: number, options = 1, chars = 1): string =>
  `image: a\nsteps: [x]\non:\n  manual:\n    inputs:\n${many(count, (i) => `      i${i}: { type: choice, options: [${many(options, (o) => `        "${String(o).padStart(chars, "0")}",`)} ] }`)}`;
const jobs = (count: number): string =>
  `defaults: { image: a }\njobs:\n${many(count, (i) => `  j${i}: { steps: [x] }`)}`;

test.each([
  ["file too large", `image: a\nsteps: ["${"x".repeat(512 * 1024)}"]`, ["P301"]],
  ["flow depth 10^4", "[".repeat(10_000), ["P302"]],
  ["block depth 10^4", "- ".repeat(10_000), ["P302"]],
  ["mapping depth 8000", "{a: ".repeat(8_000), ["P302"]],
  ["10^5 keys", `{${many(100_000, (i) => `${i % 10},`)}}`, ["P304"]],
  ["10^5 duplicate keys", many(100_000, () => "a:"), ["P304"]],
  ["wide alias bomb", `a: &a [${"x,".repeat(200)}]\nb: [${"*a,".repeat(200)}]`, ["P303"]],
  ["long text behind aliases", `a: &a "${"x".repeat(100_000)}"\nb: [${"*a,".repeat(50)}]`, ["P303"]],
  ["101 steps", steps(101), ["P305"]],
  ["101 steps, counting those that run at the same time", `${steps(85)}\n${group(16)}`, ["P305"]],
  ["501 jobs", jobs(501), ["P305"]],
  ["51 stages", `stages:\n${many(51, (i) => `  - s${i}`)}\njobs: {}`, ["P305", "P103"]],
  ["11 services", `image: a\nservices:\n${many(11, (i) => `  s${i}: { image: a }`)}\nsteps: [x]`, ["P305"]],
  ["environment", `image: a\nenv: { A: "${"x".repeat(limits.envBytes)}" }\nsteps: [x]`, ["P306"]],
  ["51 labels", labels(51, 4), ["P305"]],
  ["51 labels as a mapping", labelMap(51, 4), ["P305"]],
  ["a label of 128 characters", labels(1, 128), ["P308"]],
  ["a label of 8,000 characters as a mapping", labelMap(1, 8_000), ["P308"]],
  ["labels of 2,040 bytes", labels(20, 102), ["P308"]],
  ["680 characters of labels in 2,020 bytes", labels(10, 68).replaceAll("x", "€"), ["P308"]],
  ["26 inputs", inputs(26), ["P305"]],
  ["101 options", inputs(1, 101), ["P305"]],
  ["an option of 201 characters", inputs(1, 1, 201), ["P103"]],
  [
    "a default of 65,537 characters",
    `image: a\nsteps: [x]\non: { manual: { inputs: { a: { type: string, default: "${"x".repeat(65_537)}" } } } }`,
    ["P103"],
  ],
])("%s is refused", (_name, text, expected) => {
  expect(codesOf(text)).toEqual(expected);
});

test.each([
  ["100 steps", steps(100)],
  ["100 steps, counting those that run at the same time", `${steps(84)}\n${group(16)}`],
  ["25 inputs with 100 options of 150 characters", inputs(25, 100, 150)],
  ["500 jobs", jobs(500)],
  ["50 labels of 2,000 bytes", labels(50, 40)],
  ["labels of 127 characters", labels(15, 127)],
  ["a script of 300 KiB", `image: a\nsteps:\n  - |\n${many(30_000, (i) => `    echo ${i}`)}`],
  ["depth below the limit", `x-a: ${"[".repeat(60)}${"]".repeat(60)}\nimage: a\nsteps: [x]`],
])("%s is taken", (_name, text) => {
  const result = compile({ file: "f", text });
  expect(result.diagnostics).toEqual([]);
  expect(result.plan).not.toBeNull();
});

test("at most 50 diagnostics, in the order of the file, errors kept before warnings", () => {
  const text = `image: a\nsteps: [x]\n${many(80, (i) => `wrong${i}: 1`)}`;
  const { diagnostics } = compile({ file: "f", text });
  expect(diagnostics).toHaveLength(50);
  expect(diagnostics.map((one) => one.line)).toEqual(Array.from({ length: 50 }, (_, i) => i + 3));
});

test("a chain of 500 needs is no trouble, and neither is its circle", () => {
  const chain = (last: string): string =>
    `defaults: { image: a }\njobs:\n${many(500, (i) => `  j${i}: { needs: [${i === 0 ? last : `j${i - 1}`}], steps: [x] }`)}`;
  expect(codesOf(chain("j499"))).toEqual(["P106"]);
  expect(codesOf(chain(""))).toEqual([]);
});

test("text that is not YAML at all never throws", () => {
  for (const text of [
    "\0",
    "\u{feff}",
    "%YAML 9.9\n---\n",
    "!",
    "&",
    "*",
    "? ",
    "|",
    "--- |\n",
    "\ud800",
    "'",
    '"\\x"',
    "<<: 1",
  ]) {
    expect(compile({ file: "f", text }).plan).toBeNull();
  }
});
