import { expect, it } from "vitest";
import { parseTemplate } from "@forgeline/compiler/text-templates/parse.ts";

const place = ".forgeline/issue-templates";

it("reads Markdown with its settings, and a name from the path without them", () => {
  const text =
    "---\nname: Bug\nabout: Something is broken\ntitle: '[bug] '\nlabels: bug, needs triage\nassignees: [ada]\n---\n\n## What\n";
  expect(parseTemplate(`${place}/bug.md`, text)).toEqual({
    template: {
      path: `${place}/bug.md`,
      name: "Bug",
      about: "Something is broken",
      title: "[bug] ",
      labels: ["bug", "needs triage"],
      assignees: ["ada"],
      body: "## What\n",
      form: null,
    },
  });
  expect(parseTemplate(`${place}/feature-request.md`, "Why?\n")).toMatchObject({
    template: { name: "Feature request", body: "Why?\n", labels: [] },
  });
});

it("reads forms", () => {
  const text = `name: Crash
description: It ended
labels: [bug]
body:
  - type: markdown
    attributes: { value: Thanks! }
  - type: textarea
    id: steps
    attributes: { label: Steps, render: sh }
    validations: { required: true }
  - type: dropdown
    attributes: { label: Version, options: [1.0, 2.0], default: 1 }
  - type: checkboxes
    attributes: { label: Sure?, options: [{ label: "Yes", required: true }] }
`;
  expect(parseTemplate(`${place}/crash.yml`, text)).toMatchObject({
    template: {
      name: "Crash",
      about: "It ended",
      body: "",
      form: [
        { type: "markdown", text: "Thanks!" },
        { type: "textarea", id: "steps", label: "Steps", language: "sh", required: true },
        { type: "dropdown", id: "question-3", options: ["1", "2"], chosen: 1, required: false },
        { type: "checkboxes", options: [{ label: "Yes", required: true }] },
      ],
    },
  });
});

it.each([
  ["body:\n  - type: textarea\n    attributes: {}\n", 3, /body\.0\.attributes\.label/],
  ["name: x\nbody: [\n", 3, /./],
  ["name: x\n", 1, /^body/],
  ["body:\n  - type: riddle\n", 2, /body\.0\.type/],
  ["a: &a [x]\nbody: [*a, *a]\n", null, /anchors/],
  [
    "body:\n  - type: input\n    id: a\n    attributes: {label: A}\n  - type: input\n    id: a\n    attributes: {label: B}\n",
    null,
    /"a"/,
  ],
])("says what is wrong with the form %j", (text, line, message) => {
  expect(parseTemplate(`${place}/x.yml`, text)).toEqual({
    error: { path: `${place}/x.yml`, line, message: expect.stringMatching(message) },
  });
});

it("counts lines of settings in the file, and ends at deep ones", () => {
  expect(parseTemplate(`${place}/x.md`, "---\nname: x\nlabels: {a: 1}\n---\n")).toMatchObject({
    error: { line: 3 },
  });
  expect(parseTemplate(`${place}/x.yml`, "[".repeat(60_000))).toHaveProperty("error");
  const keys = Array.from({ length: 9_000 }, (_, index) => `k${index}: 1`);
  expect(parseTemplate(`${place}/x.yml`, keys.join("\n"))).toHaveProperty("error");
  expect(parseTemplate(`${place}/x.yml`, `{${keys.join(",")}}`)).toHaveProperty("error");
});
