/** What the choice knows by name is there: a file that moves takes its place in these tables with it. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hubs } from "../../../../support/changed/hubs.ts";
import { testAliases, isNamedAfter } from "../../../../support/changed/nouns.ts";
import { rooms } from "../../../../support/changed/rooms.ts";
import { listTests } from "../../../../support/changed/tree.ts";
import { expensiveContractTests } from "../../../../support/changed/whole.ts";

const root = join(import.meta.dirname, "../../../../..");
const isMissing = (path: string) => !existsSync(join(root, path));
const tests = await listTests(root);

test("hubs, dear tests, and folders with further names exist", () => {
  expect([...hubs, ...expensiveContractTests, ...Object.keys(testAliases)].filter(isMissing)).toEqual([]);
});

test("each room has sources, and each of its places tests", () => {
  expect(rooms.map(({ sources }) => sources).filter(isMissing)).toEqual([]);
  const empty = rooms.flatMap((room) =>
    room.tests.filter((start) => !tests.some((path) => path.startsWith(start))),
  );
  expect(empty).toEqual([]);
});

test("each further name of a folder is that of a test", () => {
  const nouns = Object.values(testAliases).flat();
  expect(nouns.filter((noun) => !tests.some((path) => isNamedAfter(path, noun)))).toEqual([]);
});
