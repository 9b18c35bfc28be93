/** A store that narrows the types of its rows by hand says why: the database could not tell, so that nothing else checks it. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { unexplainedIn } from "../../scripts/house/narrowed.ts";

const root = join(import.meta.dirname, "../..");

test("each narrowed row has its reason", () => {
  const stores = globSync("server/**/*.store.ts", { cwd: root, exclude: (path) => path === "node_modules" });
  const sources = stores.map((store) => [store, readFileSync(join(root, store), "utf8")] as const);
  expect(sources.filter(([, source]) => source.includes("interface Known")).length).toBeGreaterThan(10);
  expect(
    sources.flatMap(([store, source]) => unexplainedIn(store, source).map((one) => [store, one])),
  ).toEqual([]);
});

const cases: [source: string, unexplained: string[]][] = [
  ["interface Known { find: { id: string } }", ["find"]],
  ["/** Types. */ interface Known { find: { id: string } }", ["find"]],
  ["interface Known { /** It is set. */ find: { id: string } }", []],
  ["interface Known { /** It is set. */ find: Row; list: Row }", []],
  ["interface Known { /** It is set. */ find: Row; list: Other }", ["list"]],
  ["interface Known { /** It is set. */ find: Row; list: Other; read: Row }", ["list"]],
  ["interface Known { find: { /** It is set. */ id: string; name: string } }", ["find"]],
  ["interface Known { find: { /** It is set. */ id: string; /** Is too. */ name: string } }", []],
  ["interface Known extends Other { [find: string]: Row }", ["[find: string]: Row"]],
  ["type Known = { find: Row };", ["Known"]],
  ["defineStatements<Rows, { find: Row }>({})", ["{ find: Row }"]],
  ["defineStatements<Rows, Known>({}); defineStatements<Rows>({})", []],
];

test.each(cases)("%s", (source, unexplained) => {
  expect(unexplainedIn("a.ts", source)).toEqual(unexplained);
});
