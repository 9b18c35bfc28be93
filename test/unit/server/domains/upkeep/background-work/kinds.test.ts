import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { workflowNames } from "@forgeline/server/domains/upkeep/background-work/kinds.ts";

test("administrators see every workflow under a kind of its own", async () => {
  const entry = new URL("../../../../../../workflows/definitions/workflows.ts", import.meta.url);
  const exported = [...(await readFile(entry, "utf8")).matchAll(/^export \{ (\w+) \}/gm)];
  expect(exported.map(([, name = ""]) => name).toSorted()).toEqual(Object.values(workflowNames).toSorted());
});
