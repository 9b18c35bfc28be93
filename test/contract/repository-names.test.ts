/** Stores read the names of repositories and teams from the views `repository_names` and `team_names`, and assemble none themselves. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { textsIn } from "../../scripts/house/sql.ts";

const root = join(import.meta.dirname, "../..");

/** A slash, followed by a column `name` or `path`: the full name of a team ends in its `path`. */
const assembled = /(?:'\/'\s*(?:\|\||,)|'%s\/%s'\s*,[^)]*,)\s*(?:\w+\.)?(?:name|path)\b/i;

const namesIn = (file: string, source: string) =>
  textsIn(file, source).filter((text) => assembled.test(text));

test("no store assembles the name of a repository or a team", () => {
  const stores = globSync("server/**/*.store.ts", { cwd: root });
  expect(stores.length).toBeGreaterThan(80);
  const found = stores.flatMap((file) =>
    namesIn(file, readFileSync(join(root, file), "utf8")).map((text) => [file, text]),
  );
  expect(found).toEqual([]);
});

const cases: [sql: string, isFound: boolean][] = [
  [
    "select o.name || '/' || r.name as full_name from repositories r join owners o on o.id = r.owner_id",
    true,
  ],
  ["where lower(o.name||'/'||r.name) = lower($1)", true],
  ["select concat(o.name, '/', r.name)", true],
  ["select concat_ws('/', o.name, r.name)", true],
  ["select format('%s/%s', o.name, r.name)", true],
  ["select o.name || '/' || t.path as team from teams t join owners o on o.id = t.organization_id", true],
  ["select n.full_name as team from team_names n", false],
  ["select n.full_name || ' #' || p.number from repository_names n", false],
  ["order by string_to_array(lower(t.path), '/')", false],
  ["where lower(o.name) = lower(split_part($8, '/', 1))", false],
];

test.each(cases)("%s: %s", (sql, isFound) => {
  expect(namesIn("a.ts", JSON.stringify(sql)).length > 0).toBe(isFound);
});
