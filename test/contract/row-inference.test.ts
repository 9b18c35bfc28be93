/** What is known of a statement's columns before it runs: each rule of `scripts/generate-rows/`, and where it does not hold. */
import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readCatalogue, type Catalogue } from "../../scripts/generate-rows/catalogue.ts";
import { inMigratedDatabase } from "../../scripts/dump-schema/migrated-database.ts";
import { typedColumns } from "../../scripts/generate-rows/row-files.ts";

let client: pg.Client;
let catalogue: Catalogue;
let finish: () => void;
let closed: Promise<void>;
beforeAll(async () => {
  await new Promise<void>((ready, failed) => {
    closed = inMigratedDatabase(async (own) => {
      client = own;
      catalogue = await readCatalogue(own);
      ready();
      await new Promise<void>((resolve) => (finish = resolve));
    });
    closed.catch(failed);
  });
});
afterAll(async () => {
  finish?.();
  await closed;
});

const typesOf = async (text: string) =>
  Object.fromEntries((await typedColumns(client, catalogue, text)).map(({ name, type }) => [name, type]));

const cases: Record<string, [text: string, types: Record<string, string>]> = {
  "columns as the table declares them": [
    "select id, name, kind from owners",
    { id: "string", name: "string", kind: `"org" | "user"` },
  ],
  "columns of a view as its query gives them": [
    "select repository_id, owner, full_name, deleted_at from repository_names",
    { repository_id: "string", owner: "string", full_name: "string", deleted_at: "Date | null" },
  ],
  "a view on the optional side of a left join": [
    "select k.id, n.full_name from ssh_keys k left join repository_names n on n.repository_id = k.repository_id",
    { id: "string", full_name: "string | null" },
  ],
  "the optional side of a left join": [
    "select o.id, t.id as team_id, t.parent_id from owners o left join teams t on t.organization_id = o.id",
    { id: "string", team_id: "string | null", parent_id: "string | null" },
  ],
  "the optional side of a right and a full join": [
    `select a.id as right_left, b.id as right_right, c.id as full_right
     from owners a right join owners b on b.id = a.id full join owners c on c.id = b.id`,
    { right_left: "string | null", right_right: "string | null", full_right: "string | null" },
  ],
  "a condition that a missing row does not meet": [
    "select t.id from owners o left join teams t on t.organization_id = o.id where t.name = $1",
    { id: "string" },
  ],
  "a condition of an inner join": [
    "select k.added_by from ssh_keys k join users u on u.id = k.added_by",
    { added_by: "string" },
  ],
  "a condition of an outer join says nothing": [
    "select k.added_by from ssh_keys k left join users u on u.id = k.added_by",
    { added_by: "string | null" },
  ],
  "a condition held before an update": [
    "update two_factor set enabled_at = null where enabled_at is not null returning enabled_at",
    { enabled_at: "Date | null" },
  ],
  "an outer join inside of a subquery": [
    "select x.* from (select t.id from owners o left join teams t on t.organization_id = o.id) x",
    { id: "string | null" },
  ],
  "a subquery of WITH that inserts": [
    "with made as (insert into owners (id, name, kind) values ($1, $2, $3) returning *) select id, kind from made",
    { id: "string", kind: `"org" | "user"` },
  ],
  "a recursive one": [
    `with recursive up as (
       select id, parent_id from teams where id = $1
       union all select t.parent_id, t.parent_id from teams t join up on up.parent_id = t.id)
     select id, parent_id from up`,
    { id: "string | null", parent_id: "string | null" },
  ],
  "both parts of a union": [
    "select 'user' as kind, id, email as address from users union all select 'team', id, null from teams",
    { kind: `"team" | "user"`, id: "string", address: "string | null" },
  ],
  "numbers and sums": [
    "select count(*) as n, sum(attempts) as all_of, max(attempts)::int as most from outbox",
    { n: "number", all_of: "number | null", most: "number | null" },
  ],
  "an aggregate of groups": [
    "select kind, max(id) as last, max(id) filter (where parked) as last_parked from outbox group by kind",
    { kind: "string", last: "number", last_parked: "number | null" },
  ],
  "a subquery as a value": [
    "select (select count(*) from teams) as n, (select id from teams limit 1) as id, exists (select 1) as found",
    { n: "number", id: "string | null", found: "boolean" },
  ],
  "coalesce, case, greatest and tests for null": [
    `select coalesce(last_error, '') as error, case when parked then 1 end as part, case when parked then 1 else 2 end as whole,
       greatest(not_before, now()) as later, last_error is null as fine, last_error = 'x' as is_x,
       last_error is not null and last_error = 'x' as is_known_x
     from outbox`,
    {
      error: "string",
      part: "number | null",
      whole: "number",
      later: "Date",
      fine: "boolean",
      is_x: "boolean | null",
      is_known_x: "boolean",
    },
  ],
  "functions, casts and parameters": [
    `select lower(kind) as low, lower(last_error) as low_error, payload->>'x' as field, $1::text as given,
       (extract(epoch from not_before) * 1000)::float8 as ms, created_at::date as day from outbox`,
    {
      low: "string",
      low_error: "string | null",
      field: "string | null",
      given: "string | null",
      ms: "number",
      day: "Date",
    },
  ],
  "types of the table by hand": [
    `select coalesce($1::jsonb, details) as other, details, to_jsonb(details) as made from audit_log`,
    { other: "unknown", details: "Record<string, unknown>", made: "Record<string, unknown>" },
  ],
  enums: [
    "select permission from collaborators",
    { permission: `"read" | "triage" | "write" | "maintain" | "admin"` },
  ],
  "a deletion without rows": ["delete from outbox", {}],
};

test.each(Object.entries(cases))("%s", async (_name, [text, types]) => {
  expect(await typesOf(text)).toEqual(types);
});

test("a type without a rule is refused", async () => {
  await expect(typesOf("select now() - now() as took")).rejects.toThrow("no rule for the type interval");
});
