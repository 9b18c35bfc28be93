/** Words of other systems lead to words of ours, not to further mistakes. */
import { expect, test } from "vitest";
import { isWord, otherKeys } from "@forgeline/compiler/other-words.ts";
import { FileJob, FileService, FileStage, FileStep } from "@forgeline/schemas/pipeline-file/file-job.ts";
import { FileClause, FileOn } from "@forgeline/schemas/pipeline-file/file-when.ts";
import { FileDefaults, FullPipelineFile, TinyPipelineFile } from "@forgeline/schemas/pipeline-file/file.ts";

/** Keys of an object, or of the objects among the forms of a value. */
function keysOf(schema: unknown): string[] {
  const { shape, options, unwrap } = schema as {
    shape?: object;
    options?: unknown[];
    unwrap?: () => unknown;
  };
  if (shape !== undefined) return Object.keys(shape);
  return options === undefined ? (unwrap ? keysOf(unwrap.call(schema)) : []) : options.flatMap(keysOf);
}

const ours = {
  file: [FullPipelineFile, TinyPipelineFile],
  job: [FileJob],
  defaults: [FileDefaults],
  step: [FileStep],
  stage: [FileStage],
  service: [FileService],
  clause: [FileClause],
  on: [FileOn],
};

test("every kind of object that has other words is looked at", () =>
  expect(Object.keys(ours).toSorted()).toEqual(Object.keys(otherKeys).toSorted()));

test.each(Object.entries(ours))("%s", (kind, schemas) => {
  const known = schemas.flatMap(keysOf);
  expect(known.length).toBeGreaterThan(2);
  const words = Object.entries(otherKeys[kind as keyof typeof ours] ?? {});
  expect(words.filter(([, word]) => isWord(word) && !known.includes(word))).toEqual([]);
  expect(words.filter(([theirs]) => known.includes(theirs))).toEqual([]);
});
