/** Every key of the pipeline file has an example in the docs, and every example compiles and can be played to its end. */
import { templateKeys } from "@forgeline/schemas/pipeline-file/file-template.ts";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { problemsOf, wholeOf } from "../../support/doc-examples/check-example.ts";
import { keysOfFile, keysOfSchema } from "../../support/doc-examples/file-keys.ts";
import { readExamples } from "../../support/doc-examples/read-examples.ts";

const all = readExamples().filter(({ part }) => part !== "other");
const templates = all.filter(({ part }) => part === "template");
const examples = all.filter(({ part }) => part !== "template");
const library = Object.fromEntries(templates.map(({ path, text }) => [`./${path}`, { text }]));

test("every key of the file has an example", () => {
  const shown = new Set(
    examples.flatMap((example) => {
      const { value, frame } = wholeOf(example);
      const around = frame ? keysOfFile(frame) : new Set();
      return [...keysOfFile(value)].filter((key) => !around.has(key));
    }),
  );
  expect([...keysOfSchema()].filter((key) => !shown.has(key))).toEqual([]);
});

test("every key of a template has an example", () => {
  const shown = new Set(templates.flatMap(({ text }) => Object.keys(parse(text) as object)));
  expect(templateKeys.filter((key) => !shown.has(key))).toEqual([]);
});

test("every example compiles, and every job and step of it is carried out when the example is played", async () => {
  const problems: string[] = [];
  for (const example of examples) problems.push(...(await problemsOf(example, library)));
  expect(problems).toEqual([]);
});
