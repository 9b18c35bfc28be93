/** Names on the command line: each spelling gives the same list. */
import { Command } from "commander";
import { expect, test } from "vitest";
import { bothOf, formerNamesOption, namesOption } from "../../../../cli/options/names-option.ts";

interface Given {
  label?: string[];
  labels?: string[];
}

function labelsOf(...words: string[]): string[] | undefined {
  const command = new Command()
    .addOption(namesOption("-l, --label <names...>", "labels"))
    .addOption(formerNamesOption("--labels <names...>"));
  const { label, labels } = command.parse(words, { from: "user" }).opts<Given>();
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
