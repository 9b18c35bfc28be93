/** Handlers of REST ask one service, and edges present nothing themselves (`docs/architecture/house.md`). */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  chainingFunctionsIn,
  longerHandlers,
  presentersIn,
  rowsImportedIn,
} from "../../scripts/house/edge-handlers.ts";

const root = join(import.meta.dirname, "../..");

function foundIn<T>(pattern: string, find: (file: string, source: string) => T[]): Map<string, T[]> {
  const files = globSync(pattern, { cwd: root }).toSorted();
  expect(files.length).toBeGreaterThan(40);
  const found = files.map((file) => [file, find(file, readFileSync(join(root, file), "utf8"))] as const);
  return new Map(found.filter(([, names]) => names.length > 0));
}

test("a function of a REST handler awaits once", () => {
  const found = foundIn("server/edges/rest/*/**/*.ts", chainingFunctionsIn);
  expect([...found.keys()]).toEqual(Object.keys(longerHandlers).toSorted());
});

test("edges define no presenters and know no rows", () => {
  expect(foundIn("server/edges/**/*.ts", presentersIn)).toEqual(new Map());
  expect(foundIn("server/edges/**/*.ts", rowsImportedIn)).toEqual(new Map());
});

test("domains define presenters in files called present.ts", () => {
  const found = foundIn("server/domains/**/*.ts", presentersIn);
  expect([...found.keys()].filter((file) => !file.endsWith("/present.ts"))).toEqual([]);
  expect(found.size).toBeGreaterThan(20);
});

const chains: [source: string, lines: number[]][] = [
  ["app.bind(a, async ({ actor }) => ({ body: show(await users.get(actor)) }));", []],
  ["app.bind(a, async () => {\n  await users.check();\n  await users.get();\n});", [1]],
  ["\nasync function f() { return one(await two(await three())); }", [2]],
  ["const o = { async f() { for await (const x of y()) await z(x); } };", [1]],
  ["const f = async () => { const [a, b] = await Promise.all([c(), d()]); };", [1]],
  ["const f = () => Promise.all(ids.map((id) => users.get(id)));", [1]],
  ["const f = () => Promise.reject(refuse());", []],
  ["const f = async () => { await a(async () => { await b(); }); };", []],
];

test.each(chains)("several calls in %s", (source, lines) => {
  expect(chainingFunctionsIn("a.ts", source)).toEqual(lines);
});

test.each([
  ["function present(row: A): B { return row; }", ["present"]],
  ["export const presentUser = (row: A) => row;", ["presentUser"]],
  ["const presentation = () => 1; const present = hasBody(req); presentUser(row);", []],
])("presenters in %s", (source, names) => {
  expect(presentersIn("a.ts", source)).toEqual(names);
});

test.each([
  ['import { type UserRow, presentUser } from "./domain.ts";', ["UserRow"]],
  ['import type { UserRow as User } from "./domain.ts";', ["UserRow"]],
  ['import type { Rows, RowOf } from "./domain.ts";', []],
])("rows in %s", (source, names) => {
  expect(rowsImportedIn("a.ts", source)).toEqual(names);
});
