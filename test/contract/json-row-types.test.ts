/** What is known of JSON that a statement puts together: each rule of `scripts/generate-rows/json.ts`, and where it does not hold. */
import { expect, test } from "vitest";
import { readCatalogue } from "../../scripts/generate-rows/catalogue.ts";
import { inMigratedDatabase } from "../../scripts/dump-schema/migrated-database.ts";
import { typedColumns } from "../../scripts/generate-rows/row-files.ts";

/** By what is asked for: the type of the value. */
const cases: Record<string, [value: string, type: string]> = {
  "an object": [
    "(select jsonb_build_object('id', id, 'last_error', last_error, 'parked', parked) from outbox limit 1)",
    "{ id: number; last_error: string | null; parked: boolean; } | null",
  ],
  "an object with a name that is no identifier": [
    "json_build_object('is it', true)",
    `{ "is it": boolean; }`,
  ],
  "an object with a name that is computed": ["json_build_object($1::text, 1)", "unknown"],
  "a list": ["(select json_agg(id order by id) from outbox)", "number[] | null"],
  "a list that may be empty": ["(select coalesce(jsonb_agg(id), '[]') from outbox)", "number[]"],
  "a list of what may be null": [
    "(select coalesce(jsonb_agg(last_error), '[]') from outbox)",
    "(string | null)[]",
  ],
  "a list of objects": [
    "(select coalesce(json_agg(json_build_object('n', n)), '[]') from generate_series(1, 2) as d(n))",
    "{ n: number; }[]",
  ],
  "a list of rows": [
    "(select coalesce(json_agg(s), '[]') from (select id, created_at from users) s)",
    "{ id: string; created_at: string; }[]",
  ],
  "a row of an outer join": [
    "(select json_agg(t) from owners o left join (select id from teams) t on t.id = o.id)",
    "({ id: string; } | null)[] | null",
  ],
  "a row that was changed": [
    "(select to_jsonb(m) from (select organization_id from teams group by 1) m limit 1)",
    "{ organization_id: string; } | null",
  ],
  "an object by key": [
    "(select coalesce(jsonb_object_agg(key, outputs), '{}') from jobs)",
    "Record<string, Record<string, string>>",
  ],
  "times, ids, numbers, words and texts": [
    `(select row_to_json(x) from (select now() as time, count(*) as count, sum(attempts)::bigint as sum, min(kind) as kind,
       array_agg(key) as keys from outbox) x)`,
    "{ time: string; count: number; sum: number | null; kind: string | null; keys: string[] | null; } | null",
  ],
  "an enum and words of a CHECK": [
    "(select to_jsonb(x) from (select c.permission, o.kind from collaborators c, owners o) x limit 1)",
    `{ permission: "read" | "triage" | "write" | "maintain" | "admin"; kind: "org" | "user"; } | null`,
  ],
  "numbers that may be NaN, which JSON has as text": [
    "json_build_object('avg', 1.5::float8, 'sum', 2::numeric)",
    "{ avg: unknown; sum: unknown; }",
  ],
  "a column of JSON": ["(select to_jsonb(plan) from pipelines limit 1)", "Plan | null"],
  "a part of it": ["(select plan -> 'env' from pipelines limit 1)", "unknown"],
  "a part of an array, and one without others": [
    `(select json_build_object('some', labels[:2], 'others', array(select unnest(labels) except select $1::text))
      from job_attempts limit 1)`,
    "{ some: string[]; others: string[]; } | null",
  ],
  "JSON as text": ["(select plan::text from pipelines limit 1)", "string | null"],
  "a literal that is neither an empty list nor an empty object": [
    "coalesce((select jsonb_agg(id) from outbox), '[1]')",
    "unknown",
  ],
};

test("JSON is told as far as it can be", async () => {
  const texts = Object.values(cases).map(([value]) => `select ${value} as value`);
  const types: string[] = [];
  await inMigratedDatabase(async (client) => {
    const catalogue = await readCatalogue(client);
    for (const text of texts) {
      const [column] = await typedColumns(client, catalogue, text);
      types.push(column?.type.replaceAll(/\s+/g, " ") ?? "");
    }
  });
  const names = Object.keys(cases);
  expect(Object.fromEntries(types.map((type, at) => [names[at], type]))).toEqual(
    Object.fromEntries(Object.entries(cases).map(([name, [, type]]) => [name, type])),
  );
});
