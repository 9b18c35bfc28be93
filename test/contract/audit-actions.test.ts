import { readFile } from "node:fs/promises";
import { globSync } from "node:fs";
import { expect, test } from "vitest";
import { auditActions } from "@forgeline/schemas/audit/actions.ts";
import { unseen } from "../integration/api/audit/every-change/expected.ts";
import { specKinds } from "../support/spec-audit-actions.ts";

test("the 29 kinds of the specification are among them", () => {
  expect(specKinds).toHaveLength(29);
  expect(Object.keys(auditActions)).toEqual(expect.arrayContaining([...specKinds]));
});

test("each of them is recorded somewhere", async () => {
  const files = globSync("{server,workflows}/**/*.ts", { exclude: (name) => name === "node_modules" });
  const sources = (await Promise.all(files.map((file) => readFile(file, "utf8")))).join("\n");
  const silent = Object.keys(auditActions).filter((action) => !sources.includes(`"${action}"`));
  expect(silent.toSorted()).toEqual(Object.keys(unseen).toSorted());
});

test("nothing writes entries but the one function", async () => {
  const writers: string[] = [];
  for (const file of globSync("{server,workflows}/**/*.ts", { exclude: (name) => name === "node_modules" }))
    if (/insert into audit_log/i.test(await readFile(file, "utf8"))) writers.push(file);
  expect(writers).toEqual(["server/domains/operation/audit/audit.store.ts"]);
});
