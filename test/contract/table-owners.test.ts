/** Each table has one owner (`scripts/house/table-owners.ts`): held against what the SQL of stores writes and reads. */
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { readArrows } from "../../scripts/house/arrows.ts";
import { standsOn } from "../../scripts/house/domains.ts";
import { tableOwners } from "../../scripts/house/table-owners.ts";
import { tableProblems, type House } from "../../scripts/house/table-problems.ts";
import { mentionsIn, usesIn, type Uses } from "../../scripts/house/tables.ts";

const root = join(import.meta.dirname, "../..");
const schema = readFileSync(join(root, "server/platform/db/schema.sql"), "utf8");
const tables = new Set([...schema.matchAll(/^create (?:table|view) (\w+)/gm)].map(([, name = ""]) => name));
/** Those whose word other tables have as a column without its table before it, so that it tells nothing there. */
const alsoColumns: ReadonlySet<string> = new Set(["labels"]);
const unmistakable = new Set([...tables].filter((table) => !alsoColumns.has(table)));
const stores = globSync("server/**/*.store.ts", { cwd: root });
const sources = stores.map((file) => [file, readFileSync(join(root, file), "utf8")] as const);

const uses = new Map<string, Uses>();
for (const [file, source] of sources) {
  const folder = dirname(file).slice("server/".length);
  const { writes, reads } = usesIn(file, source, tables);
  const before = uses.get(folder);
  uses.set(folder, {
    writes: new Set([...writes, ...(before?.writes ?? [])]),
    reads: new Set([...reads, ...(before?.reads ?? [])]),
  });
}
const house: House = { owners: tableOwners, tables, uses, below: standsOn(await readArrows(root)) };

test("tables are written and read by whom the map names, and by nobody else", () => {
  expect(tables.size).toBeGreaterThan(70);
  expect(tableProblems(house)).toEqual([]);
});

test("no table stands in a store's SQL where it is neither written nor read", () => {
  const missed = sources.flatMap(([file, source]) => {
    const { writes, reads } = usesIn(file, source, tables);
    const missing = [...mentionsIn(file, source, unmistakable)].filter(
      (table) => !writes.has(table) && !reads.has(table),
    );
    return missing.map((table) => [file, table]);
  });
  expect(missed).toEqual([]);
  const table = new Set(["users"]);
  expect(mentionsIn("a.ts", '"select count(users) from x users"', table)).toEqual(table);
  expect(mentionsIn("a.ts", `"select users.id, x.users, 'users' from x"`, table)).toEqual(new Set());
});

const small: House = {
  owners: {
    "domains/b/users": { users: { readBy: ["a"] }, owners: { alsoWrittenBy: { "domains/b/x": "y" } } },
  },
  tables: new Set(["users", "owners"]),
  uses: new Map([
    ["domains/a/x", { writes: new Set(), reads: new Set(["users"]) }],
    ["domains/b/x", { writes: new Set(["owners"]), reads: new Set(["users", "owners"]) }],
    ["domains/b/users", { writes: new Set(["users", "owners"]), reads: new Set() }],
  ]),
  below: new Map([["a", new Set(["b"])]]),
};

const changes: [problem: string, change: Partial<House>][] = [
  ["sessions has no owner", { tables: new Set(["users", "owners", "sessions"]) }],
  ["owners is no table", { tables: new Set(["users"]) }],
  ["owners has two owners", { owners: { ...small.owners, "domains/b/x": { owners: {} } } }],
  ["domains/c/x writes users of domains/b/users", { uses: withUse("domains/c/x", ["users"], []) }],
  ["domains/b/x does not write owners", { uses: withUse("domains/b/x", [], ["users"]) }],
  ["domains/b/users does not write users", { uses: withUse("domains/b/users", ["owners"], []) }],
  ["c reads users of domains/b/users", { uses: withUse("domains/c/x", [], ["users"]) }],
  ["platform reads users of domains/b/users", { uses: withUse("platform/x", [], ["users"]) }],
  ["a does not read users", { uses: withUse("domains/a/x", [], []) }],
  ["a does not stand above users: say why it reads it", { below: new Map() }],
  [
    "a stands above users, and needs no reason to read it",
    {
      owners: {
        "domains/b/users": { ...small.owners["domains/b/users"], users: { alsoReadBy: { a: "z" } } },
      },
    },
  ],
];

function withUse(folder: string, writes: string[], reads: string[]): Map<string, Uses> {
  return new Map([...small.uses, [folder, { writes: new Set(writes), reads: new Set(reads) }]]);
}

test.each(changes)("is told: %s", (problem, change) => {
  expect(tableProblems(small)).toEqual([]);
  expect(tableProblems({ ...small, ...change })).toContain(problem);
});

const cases: [sql: string, writes: string[], reads: string[]][] = [
  ["select 1 from users u join owners o on o.id = u.id", [], ["users", "owners"]],
  ["select 1 from users, owners o where true", [], ["users", "owners"]],
  ["select (select id from users) from (select 1 from owners) x", [], ["users", "owners"]],
  ["insert into users (id) select id from owners", ["users"], ["owners"]],
  ["insert into users (id) values ($1) on conflict do update set a = 1", ["users"], []],
  ["update users u set a = 1 from owners o", ["users"], ["owners"]],
  ["delete from users using owners o where true", ["users"], ["owners"]],
  [
    "with gone as (delete from users returning id) insert into owners select id from gone",
    ["users", "owners"],
    [],
  ],
  ["with users as (select 1) select * from users", [], []],
  ["truncate users", ["users"], []],
  ["select 1 from owners for update of owners", [], ["owners"]],
  ["where a is distinct from users.a", [], []],
  ["select 'from users' -- from users", [], []],
  ["left join owners o on true", [], ["owners"]],
  ["users u join owners o on o.id = u.id", [], ["users", "owners"]],
];

test.each(cases)("of tables in %s", (sql, writes, reads) => {
  const found = usesIn("a.ts", `db.query(${JSON.stringify(sql)})`, new Set(["users", "owners"]));
  expect(found).toEqual({ writes: new Set(writes), reads: new Set(reads) });
});
