/** Completion of pipeline files: where the cursor (`|`) stands, and what the real schema allows there. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  keyChoices,
  valueChoices,
  type JsonSchema,
} from "../../../web/src/features/pipeline-editor/schema-choices.ts";
import { yamlPlaceAt } from "../../../web/src/features/pipeline-editor/yaml-place.ts";

const file = join(import.meta.dirname, "../../../schemas/generated/json-schema/pipeline-1.json");
const schema = JSON.parse(await readFile(file, "utf8")) as JsonSchema;

function placeAt(marked: string) {
  const before = marked.slice(0, marked.indexOf("|^")).split("\n");
  return yamlPlaceAt(marked.replace("|^", ""), before.length - 1, before.at(-1)?.length ?? 0);
}

/** Labels in the order of the schema. */
function offered(marked: string): string[] | null {
  const place = placeAt(marked);
  if (!place) return null;
  const { path, siblings, writing, isItem } = place;
  return [
    ...(writing === "key" ? keyChoices(schema, path, siblings).map(({ key }) => key) : []),
    ...(writing === "value" || isItem ? valueChoices(schema, path).map(({ value }) => value) : []),
  ];
}

test("an empty file may begin as either form", () => {
  expect(offered("|^")).toEqual(expect.arrayContaining(["on", "jobs", "stages", "steps", "image"]));
  expect(offered("st|^")).toEqual(expect.arrayContaining(["stages", "steps"]));
});

test("keys of one form leave no keys of the other, and none that is there already, above or below", () => {
  const keys = offered("stages: [a]\n|^\njobs:\n  a:\n    steps: [x]\n");
  expect(keys).toEqual(expect.arrayContaining(["on", "env", "defaults"]));
  for (const gone of ["stages", "jobs", "steps", "image"]) expect(keys).not.toContain(gone);
});

test("keys of a job, of a step behind its dash and below it", () => {
  const job = offered("jobs:\n  unit:\n    image: x\n    |^\n");
  expect(job).toEqual(expect.arrayContaining(["steps", "needs", "timeout"]));
  expect(job).not.toContain("image");
  const step = offered("jobs:\n  unit:\n    steps:\n      - |^\n");
  expect(step).toEqual(expect.arrayContaining(["run", "name", "when"]));
  const further = offered("steps:\n- name: a\n  |^\n- run: b\n");
  expect(further).toEqual(expect.arrayContaining(["run", "when"]));
  expect(further).not.toContain("name");
});

test("a sequence in its key's column, and the key that ends it", () => {
  expect(placeAt("steps:\n- run: a\nim|^")?.path).toEqual([]);
  expect(placeAt("on:\n  push:\n    branches:\n    - main\n    pa|^")?.path).toEqual([
    { key: "on" },
    { key: "push" },
  ]);
});

test("values that are one of a few", () => {
  expect(offered("steps:\n  - run: x\n    when:\n      status: |^")).toEqual([
    "success",
    "failure",
    "always",
  ]);
  expect(offered("steps:\n  - run: x\n    allow_failure: t|^")).toEqual(["true", "false"]);
  expect(offered("on:\n  - |^")).toEqual([
    "push",
    "merge_request",
    "tag",
    "manual",
    "api",
    "mirror_sync",
    "fork_sync",
    "pipeline",
  ]);
  expect(offered("version: |^")).toEqual(["1"]);
});

test("scripts, comments, quotes and flow forms are left alone; what follows a script is not", () => {
  expect(offered("steps:\n  - run: |\n      sta|^\n")).toBeNull();
  expect(offered("steps:\n  - run: |\n      a: b\n\n      c: d\n    na|^\n")).toContain("name");
  expect(offered("# st|^")).toBeNull();
  expect(offered('name: "st|^')).toBeNull();
  expect(offered("on: { pu|^")).toBeNull();
});

test("a key says what stands behind it", () => {
  const byKey = new Map(keyChoices(schema, [], new Set()).map((choice) => [choice.key, choice]));
  expect(byKey.get("jobs")).toMatchObject({ holds: "mapping", description: "Jobs by id." });
  expect(byKey.get("steps")).toMatchObject({ holds: "sequence" });
  expect(byKey.get("name")).toMatchObject({ holds: "value" });
});
