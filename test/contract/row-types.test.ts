/** Types of rows are what the migrated database says of the stores' statements. */
import { readFileSync, globSync } from "node:fs";
import { join } from "node:path";
import type pg from "pg";
import { expect, test } from "vitest";
import { readCatalogue } from "../../scripts/generate-rows/catalogue.ts";
import { inMigratedDatabase } from "../../scripts/dump-schema/migrated-database.ts";
import { rowFiles, typedColumns } from "../../scripts/generate-rows/row-files.ts";

const checkout = join(import.meta.dirname, "../..");
const read = (path: string) => readFileSync(join(checkout, path), "utf8");

test("each *.rows.ts is what `node scripts/generate-rows.ts` writes", async () => {
  const wanted = await rowFiles();
  expect(globSync("server/**/*.rows.ts", { cwd: checkout }).toSorted()).toEqual(
    Object.keys(wanted).toSorted(),
  );
  for (const [path, text] of Object.entries(wanted)) expect(read(path), path).toBe(text);
});

test("a renamed column, or one that may be null, is told", async () => {
  const text = "select id, last_error, attempts from outbox";
  const typesNow = async (client: pg.Client) => typedColumns(client, await readCatalogue(client), text);
  await inMigratedDatabase(async (client) => {
    expect((await typesNow(client)).map(({ type }) => type)).toEqual(["number", "string | null", "number"]);
    await client.query("alter table outbox alter column attempts drop not null");
    expect((await typesNow(client)).map(({ type }) => type)).toEqual([
      "number",
      "string | null",
      "number | null",
    ]);
    await client.query("alter table outbox rename column attempts to tries");
    await expect(typesNow(client)).rejects.toThrow('column "attempts" does not exist');
  });
});
