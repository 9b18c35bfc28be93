import { expect, test } from "vitest";
import { looksLikeError, mayBeError } from "@forgeline/server/domains/pipelines/logs/search/error-lines.ts";
import { foldCase } from "@forgeline/server/domains/pipelines/logs/search/find-words.ts";

const errors = [
  "error: could not compile `app`",
  "error[E0308]: mismatched types",
  "src/main.ts(3,5): error TS2322: Type 'string' is not assignable",
  "main.c:12:5: error: expected ';' before 'return'",
  "fatal: repository 'x' does not exist",
  "panic: runtime error: index out of range",
  "Traceback (most recent call last):",
  "ValueError: invalid literal",
  "java.lang.NullPointerException: null",
  'Exception in thread "main" java.lang.Error',
  "npm ERR! code ELIFECYCLE",
  "npm error code 1",
  "make: *** [Makefile:3: all] Error 2",
  "--- FAIL: TestSum (0.00s)",
  "FAIL src/sum.test.ts > adds",
  "FAILED tests/test_sum.py::test_adds",
  "E       assert 1 == 2",
  "not ok 3 - adds",
  "✕ adds numbers (3 ms)",
  "thread 'main' panicked at src/main.rs:2:5",
  "bash: line 1: foo: command not found",
  "sh: 1: git: not found",
  "sh: git: not found",
  "/bin/sh: git: not found",
  "/workspace/build.sh: line 3: git: not found",
  "exit status 127",
  "Process exited with code 127",
  "command failed: exit code: 126",
  "cat: x: No such file or directory",
  "/usr/bin/ld: cannot find -lssl",
  "main.c:(.text+0x1): undefined reference to `f'",
  "Segmentation fault (core dumped)",
  "2026-11-28T09:00:00.123Z ERROR something broke",
  "[12:00:01] Error: broken",
  "[ERROR] Failed to execute goal",
  "##[error]Process completed with exit code 1.",
  "web-1  | Error: listen EADDRINUSE",
  "Uncaught TypeError: x is not a function",
  "Assertion `n > 0' failed.",
  "Killed",
];

const harmless = [
  "0 errors, 3 warnings",
  "Found no errors.",
  "errors: 0",
  "failed: 0, passed: 12",
  "compiled without errors",
  "+ echo error: this is the command",
  "$ run --fail-fast",
  "downloading error-handler 1.2.3",
  "error-handler is up to date",
  "all assertions hold",
  "retrying after failure",
  "test result: ok. 12 passed; 0 failed; 0 ignored",
  "warning: unused variable",
  "package libfoo: not found in cache, downloading",
  "src/app.js:12: not found is handled here",
  "all programs ended with exit status 0",
  "exited with 12 warnings",
  "",
];

test.each(errors)("%s looks like an error", (line) => {
  expect(looksLikeError(line)).toBe(true);
  expect(mayBeError(foldCase(line), 0)).toBeGreaterThanOrEqual(0);
});

test.each(harmless)("%j does not", (line) => {
  expect(looksLikeError(line)).toBe(false);
});

test("a hostile line needs no more time than any long one", () => {
  // An expression that tries things twice would need minutes here.
  for (const part of [
    "[a] ",
    "assertion ",
    "error ",
    "a.b | ",
    "0 ",
    "Error",
    "2026-11-28 ",
    "x: 1: ",
    "exit ",
  ])
    expect(looksLikeError(`+ ${part.repeat(20_000)}`)).toBe(false);
  for (const part of ["[a] ", "assertion ", "a.b | ", "0 ", "2026-11-28 ", "x: 1: ", "exit "])
    expect(looksLikeError(part.repeat(20_000))).toBe(false);
});
