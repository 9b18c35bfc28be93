/** Edges judge the form of a request; domains refuse what the state does not allow, and name the field. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { contractValuesIn, ownValidationErrorsIn } from "../../scripts/house/field-errors.ts";

const root = join(import.meta.dirname, "../..");
const sources = globSync("server/domains/**/*.ts", { cwd: root })
  .toSorted()
  .map((file) => [file, readFileSync(join(root, file), "utf8")] as const);

test("no domain can parse a request", () => {
  expect(sources.length).toBeGreaterThan(300);
  expect(sources.filter(([file, source]) => contractValuesIn(file, source).length > 0)).toEqual([]);
});

/**
 * They answer Git LFS, whose errors have no fields, runners, whose words end up in the message of a job, and whoever sends a file, which
 * is the whole body.
 */
const withoutFields = [
  "server/domains/automation/imports/archives/archive-bytes.ts",
  "server/domains/collaboration/attachments/bytes.ts",
  "server/domains/collaboration/attachments/scan.ts",
  ...["batch.ts", "locks.ts", "verified-stream.ts"].map((name) => `server/domains/hosting/lfs/${name}`),
  "server/domains/pipelines/artifacts/uploads.ts",
  "server/domains/pipelines/caches/cache-uploads.ts",
];

test("who refuses input names the field", () => {
  const found = sources.filter(([file, source]) => ownValidationErrorsIn(file, source) > 0);
  expect(found.map(([file]) => file)).toEqual(withoutFields);
});

const imports: [line: string, values: string[]][] = [
  ['import { UserUpdate } from "@forgeline/schemas/users/routes.ts";', ["UserUpdate"]],
  ['import * as routes from "@forgeline/schemas/users/routes.ts";', ["routes"]],
  ['import { type A, b as c } from "@forgeline/schemas/sso/configuration-routes.ts";', ["c"]],
  ['import type { UserUpdate } from "@forgeline/schemas/users/routes.ts";', []],
  ['import { Role } from "@forgeline/schemas/users/resource.ts";', []],
];

test.each(imports)("%s", (line, values) => {
  expect(contractValuesIn("service.ts", line)).toEqual(values);
});

test.each([
  ['throw new AppError("validation_failed");', 1],
  ['throw new AppError("validation_failed", { errors: [{ field: "name" }] });', 1],
  ['throw invalidField("name", "taken", "Taken.");', 0],
  ['throw new AppError("conflict");', 0],
])("%s", (line, count) => {
  expect(ownValidationErrorsIn("service.ts", line)).toBe(count);
});
