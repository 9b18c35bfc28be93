import { parseOutputs } from "@forgeline/compiler/outputs.ts";
import { expect, test } from "vitest";

test("lines and heredocs", () => {
  const text = "a=1\nb=x=y\nempty=\nc<<EOF\none\n two\nEOF\n\r\nd=windows\r\na=2\n";
  expect(parseOutputs(text)).toEqual({
    outputs: { a: "2", b: "x=y", empty: "", c: "one\n two", d: "windows" },
    errors: [],
  });
});

test("a heredoc may hold lines that look like others, and be empty", () => {
  expect(parseOutputs("k<<END\na=1\nb<<EOF\nEND\nz<<X\nX\n").outputs).toEqual({ k: "a=1\nb<<EOF", z: "" });
});

test("a value may hold <<", () => {
  expect(parseOutputs("shift=1<<2\n").outputs).toEqual({ shift: "1<<2" });
});

test("wrong lines are told and do not spoil the others", () => {
  const { outputs, errors } = parseOutputs("fine=1\nnonsense\n1x=2\n__proto__=3\n=4\nopen<<EOF\nlost");
  expect(outputs).toEqual({ fine: "1" });
  expect(errors).toEqual([
    'line 2: "nonsense" is not key=value',
    'line 3: "1x" is not a valid output name (letters, digits, _ and -)',
    'line 4: "__proto__" is not a valid output name (letters, digits, _ and -)',
    'line 5: "" is not a valid output name (letters, digits, _ and -)',
    'line 6: the value of "open" has no closing line "EOF"',
  ]);
  expect(Object.getPrototypeOf(outputs)).toBe(Object.prototype);
});

test("over the limit nothing is taken", () => {
  expect(parseOutputs("a=ééé", 7)).toEqual({
    outputs: {},
    errors: ["outputs are 8 bytes; at most 7 are allowed"],
  });
  expect(parseOutputs(`a=${"x".repeat(1024 * 1024)}`).errors).toHaveLength(1);
  expect(parseOutputs(`a=${"x".repeat(1024 * 1024 - 2)}`).errors).toEqual([]);
});

test("many wrong lines give few messages, and many open heredocs end at once", () => {
  expect(parseOutputs("x\n".repeat(10_000)).errors).toHaveLength(20);
  expect(parseOutputs("a<<E\n".repeat(100_000)).errors).toHaveLength(1);
});
