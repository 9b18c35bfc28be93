/** Names on the command line: each spelling gives the same list. */
import { expect, test } from "vitest";
import { createProgram } from "@forgeline/cli/command-line.ts";
import { bothOf } from "@forgeline/cli/options/names-option.ts";

function labelsOf(...words: string[]): string[] | undefined {
  const mr = createProgram().commands.find((each) => each.name() === "mr");
  const create = mr?.commands.find((each) => each.name() === "create");
  create?.parseOptions(words);
  const { label, labels } = create?.opts<{ label?: string[]; labels?: string[] }>() ?? {};
  return bothOf(label, labels);
}

test.each([
  [["--label", "a,b"]],
  [["--label", "a", "--label", "b"]],
  [["-l", "a", "b"]],
  [["--labels", "a", "b"]],
  [["--label", "a", "--labels", "b"]],
])("%j is a and b", (words) => {
  expect(labelsOf(...words)).toEqual(["a", "b"]);
});

test("none is none", () => {
  expect(labelsOf()).toBeUndefined();
});
