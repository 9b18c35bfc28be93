/** What Woodpecker has that other systems do not: values that it replaces before anything runs, and steps that share anchors. */
import { expect, test } from "vitest";
import { convert } from "@forgeline/compiler/convert/convert.ts";

const converted = (text: string) => {
  const made = convert({ source: "ci.yml", text, system: "woodpecker", path: ".forgeline.yml" });
  expect(made.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  return made;
};
const checksIn = (text: string | null) => text?.match(/CHECK line \d+/g) ?? [];

test("each step that shares an anchor has its comment", () => {
  const { text, notes } = converted(`variables: { never: &never { event: pull_request_closed } }
steps:
  - { name: a, image: alpine, commands: ls, when: *never }
  - { name: b, image: alpine, commands: ls, when: *never }
  - { name: c, image: alpine, commands: ls }
`);
  expect(checksIn(text)).toHaveLength(2);
  for (const name of ["a", "b"]) expect(text).toMatch(new RegExp(`# .*\\n +- name: ${name}\\n`));
  expect(notes).toHaveLength(2);
});
