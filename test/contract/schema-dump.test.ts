/** `server/platform/db/schema.sql` is what the migrations make; a new migration shows in review as a change of that file. */
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { migratedSchema, schemaFile } from "../../scripts/dump-schema/migrated-schema.ts";

test("server/platform/db/schema.sql is what `node scripts/dump-schema.ts` writes", async () => {
  expect(await readFile(schemaFile, "utf8")).toBe(await migratedSchema());
});
