/** SQL stands in `*.store.ts` and nowhere else (`docs/architecture/house.md`): found by what texts say. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sqlIn } from "../../scripts/house/sql.ts";

const root = join(import.meta.dirname, "../..");

/** Files that hold SQL of their own, and why. */
const excepted: Record<string, string> = {
  "server/platform/db/count-rows.ts": "wraps what a store hands it into a count",
  "server/platform/db/database.ts": "asks for a sign of life",
  "server/platform/db/migrate.ts": "makes the tables that stores use",
  "server/platform/db/notifications.ts": "sends notifications, which belong to no table",
};

test("no file but a store holds SQL", () => {
  const files = globSync("{server,workflows}/**/*.ts", {
    cwd: root,
    exclude: (path) => path === "node_modules",
  }).filter((file) => !file.endsWith(".store.ts"));
  expect(files.length).toBeGreaterThan(500);
  const found = files.flatMap((file) =>
    sqlIn(file, readFileSync(join(root, file), "utf8")).map((text) => [file, text] as const),
  );
  expect(found.filter(([file]) => !(file in excepted))).toEqual([]);
  expect(new Set(found.map(([file]) => file))).toEqual(new Set(Object.keys(excepted)));
});

const cases: [source: string, isSql: boolean][] = [
  ['db.one("select name from owners where id = $1")', true],
  ["db.query(`\n  SELECT name\n  FROM owners`)", true],
  ['const text = "select 1";', true],
  ["const text = `select ${columns} from repositories r`;", true],
  ["const text = `a ${`delete from sessions`} b`;", true],
  ['"insert into mails (id) values ($1)"', true],
  ['"update users set suspended = true"', true],
  ['"update users u set suspended = true"', true],
  ['"with old as (delete from sessions returning id) select id from old"', true],
  ['"with recursive up (id) as (values (1)) table up"', true],
  ['"select pg_advisory_xact_lock(hashtext($1))"', true],
  ['"set local statement_timeout = 0"', true],
  ['"lock table owners"', true],
  ['"truncate mails"', true],
  ['countRows(db, "from repositories r where r.owner_id = $1", [id])', true],
  ['"left join owners o on o.id = r.owner_id"', true],
  ['const condition = "and lower(r.name) = lower($2)";', true],
  ['const condition = "r.deleted_at is null";', true],
  ['const columns = "r.id, o.name as owner";', true],
  ["const kept = `now() - interval '${days} days'`;", true],
  ['"order by created_at desc"', true],
  ["export const a = 1; // select name from owners", false],
  ['"Select a repository, then delete what you do not want of it."', false],
  ['"Where finished logs go: `file:///PATH`; default `DATA_DIR/objects`."', false],
  ['"From address of mails"', false],
  ['text.replace(/x/, "<code>$1</code>")', false],
  ['"commit"', false],
  ['"update of a branch"', false],
];

test.each(cases)("%s: %s", (source, isSql) => {
  expect(sqlIn("a.ts", source).length > 0).toBe(isSql);
});
