/** The server keeps to its house (`docs/architecture/house.md`): who imports whom, and no circle of domains. */
import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect, test } from "vitest";
import { arrowsIn, readArrows } from "../../scripts/house/arrows.ts";
import { layersOf, usesOf } from "../../scripts/house/domains.ts";
import { databaseNamesIn, judgingNamesIn, problemOf } from "../../scripts/house/rules.ts";
import { storeExports, storeValuesIn } from "../../scripts/house/store-exports.ts";
import { foreignStoresIn, storeUses } from "../../scripts/house/store-uses.ts";

const root = join(import.meta.dirname, "../..");
const arrows = await readArrows(root);

test("each import of the server is one that its house allows", () => {
  const wrong = arrows.flatMap((arrow) => {
    const problem = problemOf(arrow);
    return problem === undefined ? [] : [`${arrow.from} → ${arrow.to}: ${problem}`];
  });
  expect(wrong).toEqual([]);
});

test("nothing in an edge is a database", () => {
  const files = globSync("server/edges/**/*.ts", { cwd: root });
  expect(files.length).toBeGreaterThan(100);
  const found = files.flatMap((file) =>
    databaseNamesIn(file, readFileSync(join(root, file), "utf8")).map((name) => `${file}: ${name}`),
  );
  expect(found).toEqual([]);
  const source = "const { db } = container.platform; f(db.transaction); const d: Database = x; // tx";
  expect(databaseNamesIn("a.ts", source)).toEqual(["db", "transaction", "Database"]);
});

test("edges of Git and LFS judge nobody: they ask hosting", () => {
  const files = globSync("server/edges/{git-http,git-ssh,lfs}/*.ts", { cwd: root });
  expect(files.length).toBeGreaterThan(35);
  const found = files.flatMap((file) =>
    judgingNamesIn(file, readFileSync(join(root, file), "utf8")).map((name) => `${file}: ${name}`),
  );
  expect(found).toEqual([]);
  const source = [
    "const { repository } = await deps.authorizer.authorizeRepository(actor, requirements[program], names);",
    "await deps.storage.check(repository.id);",
    "await assertRoom(directory);",
    "const session = deps.pushes.begin(repository, actor);",
  ].join("\n");
  const judged = ["authorizer", "authorizeRepository", "requirements", "storage", "assertRoom", "pushes"];
  for (const edge of ["git-http", "git-ssh", "lfs"])
    expect(judgingNamesIn(`server/edges/${edge}/a.ts`, source)).toEqual(judged);
  expect(judgingNamesIn("server/edges/rest/a.ts", source)).toEqual([]);
});

test("domains stand on each other without a circle", () => {
  expect(layersOf(usesOf(arrows)).flat()).toHaveLength(usesOf(arrows).size);
  const circle = [
    { from: "server/domains/a/x.ts", to: "server/domains/b/domain.ts" },
    { from: "server/domains/b/y/z.ts", to: "server/domains/a/domain.ts" },
    { from: "server/domains/c/domain.ts", to: "server/platform/clock.ts" },
  ];
  expect(() => layersOf(usesOf(circle))).toThrow("a circle of domains: a, b");
});

test("a domain exports no value of its stores, but those that are listed", () => {
  const files = globSync("server/domains/*/domain.ts", { cwd: root });
  expect(files.length).toBeGreaterThan(5);
  const found = files.flatMap((file) => {
    const names = storeValuesIn(file, readFileSync(join(root, file), "utf8"));
    return names.length === 0 ? [] : [[basename(dirname(file)), names.toSorted()]];
  });
  const listed = Object.entries(storeExports).map(([name, values]) => [name, Object.keys(values).toSorted()]);
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(listed));
});

const exported: [source: string, values: string[]][] = [
  ['export { a, b as c } from "./x/x.store.ts";', ["a", "c"]],
  ['export { a, type B } from "./x/x.store.ts";', ["a"]],
  ['export type { A } from "./x/x.store.ts";', []],
  ['export { a } from "./x/service.ts";', []],
  ['export * from "./x/x.store.ts";', ["*"]],
  ['import { a, type B } from "./x/x.store.ts"; export { a, type B };', ["a"]],
  ['import * as a from "./x/x.store.ts"; export { a };', ["a"]],
  ['import { a } from "./x/x.store.ts"; export const b = (db) => a(db);', []],
];

test.each(exported)("values of stores in %s", (source, values) => {
  expect(storeValuesIn("domain.ts", source)).toEqual(values);
});

test("a noun calls no store of another one, but those that are listed", () => {
  const found = globSync("server/domains/*/*/**/*.ts", { cwd: root }).flatMap((file) => {
    const [, , domain, noun] = file.split("/");
    const stores = foreignStoresIn(file, readFileSync(join(root, file), "utf8"));
    return stores.map((store) => `${domain}/${noun} → ${store}`);
  });
  const listed = Object.entries(storeUses).flatMap(([noun, stores]) =>
    Object.keys(stores).map((store) => `${noun} → ${store}`),
  );
  expect([...new Set(found)].toSorted()).toEqual(listed.toSorted());
});

const imported: [line: string, stores: string[]][] = [
  ['import { a } from "../b/b.store.ts";', ["b/b.store.ts"]],
  ['import * as a from "../b/c/b.store.ts";', ["b/c/b.store.ts"]],
  ['import { a, type B } from "../b/b.store.ts";', ["b/b.store.ts"]],
  ['import type { A } from "../b/b.store.ts";', []],
  ['import { type A } from "../b/b.store.ts";', []],
  ['import { a } from "../b/service.ts";', []],
  ['import { a } from "./x.store.ts";', []],
  ['import { a } from "../../other/domain.ts";', []],
];

test.each(imported)("stores of other nouns in %s", (line, stores) => {
  expect(foreignStoresIn("server/domains/d/x/service.ts", line)).toEqual(stores);
});

const cases: [from: string, line: string, allowed: boolean][] = [
  ["edges/rest/users/routes.ts", 'import { a } from "../../../domains/accounts/domain.ts";', true],
  [
    "edges/rest/users/routes.ts",
    'import { a } from "../../../domains/accounts/users/users.store.ts";',
    false,
  ],
  [
    "edges/rest/users/routes.ts",
    'import type { A } from "../../../domains/accounts/users/service.ts";',
    false,
  ],
  ["edges/rest/users/routes.ts", 'import { a } from "../../http/page.ts";', true],
  ["edges/rest/users/routes.ts", 'import { a } from "../../oauth/pages.ts";', false],
  ["edges/rest/users/routes.ts", 'import type { Container } from "../../../container.ts";', false],
  ["edges/rest/bind-route.ts", 'import type { A } from "../../domains/policy/domain.ts";', true],
  ["edges/git-http/git-http.ts", 'import type { A } from "../../domains/policy/domain.ts";', false],
  ["edges/git-ssh/open-ssh-server.ts", 'import type { A } from "../../domains/policy/domain.ts";', false],
  ["edges/lfs/callers.ts", 'import type { A } from "../../domains/policy/domain.ts";', false],
  ["edges/http/page.ts", 'import { a } from "../rest/bind-route.ts";', false],
  ["edges/http/page.ts", 'import { a } from "../../platform/db/page.ts";', false],
  ["edges/http-server.ts", 'import type { Database } from "../platform/db/database.ts";', false],
  ["edges/http-server.ts", 'import type { Container } from "../container.ts";', true],
  ["edges/http-server.ts", 'import { a } from "../domains/accounts/users/service.ts";', false],
  ["domains/accounts/users/service.ts", 'import { a } from "../emails/service.ts";', true],
  ["domains/accounts/users/service.ts", 'import { a } from "../../operation/domain.ts";', true],
  ["domains/accounts/users/service.ts", 'import { a } from "../../operation/audit/record.ts";', false],
  ["domains/accounts/users/service.ts", 'export { a } from "../../operation/audit/record.ts";', false],
  ["domains/accounts/users/service.ts", 'import { a } from "../../../edges/http/page.ts";', false],
  ["domains/accounts/users/service.ts", 'import { a } from "../../../platform/clock.ts";', true],
  ["domains/accounts/users/service.ts", 'import { a } from "../../../platform/http/parse-input.ts";', false],
  ["domains/accounts/users/service.ts", 'import type { C } from "../../../container.ts";', false],
  ["domains/accounts/users/service.ts", 'new URL("../../hosting/x/thread.ts", import.meta.url);', false],
  ["platform/db/database.ts", 'import { a } from "../clock.ts";', true],
  ["platform/db/database.ts", 'import type { C } from "../../config/config.ts";', true],
  ["platform/db/database.ts", 'import type { A } from "../../domains/accounts/domain.ts";', false],
  ["platform/db/database.ts", 'import { a } from "@forgeline/server/edges/http/page.ts";', false],
  ["config/config.ts", 'import { a } from "../platform/secret.ts";', true],
  ["config/config.ts", 'import { a } from "../platform/db/database.ts";', false],
  ["commands/serve.ts", 'import { a } from "../container.ts";', true],
  ["commands/serve.ts", 'import { a } from "../domains/accounts/users/service.ts";', false],
  ["container.ts", 'import { a } from "./domains/accounts/domain.ts";', true],
];

test.each(cases)("in server/%s: %s → %s", (from, line, allowed) => {
  const [arrow] = arrowsIn(`server/${from}`, `${line}\n`);
  expect(arrow && problemOf(arrow) === undefined).toBe(allowed);
});
