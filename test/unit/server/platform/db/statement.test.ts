/** What a store says of its statements can only narrow what was generated; `tsc` reads the lines that are expected to fail. */
import { expect, test } from "vitest";
import { defineStatements, variantOf } from "@forgeline/server/platform/db/statement.ts";

interface TeamsRows {
  findTeam: { id: string; path: string | null; extra: unknown };
  deleteTeam: never;
}
const texts = { findTeam: "select", deleteTeam: "delete" };

test("statements have their texts, and names made from these", () => {
  const { findTeam, deleteTeam } = defineStatements<TeamsRows>(texts);
  expect([findTeam.text, deleteTeam.text]).toEqual(["select", "delete"]);
  expect(findTeam.name).not.toBe(deleteTeam.name);
  expect(defineStatements<TeamsRows>(texts).findTeam.name).toBe(findTeam.name);
  expect(variantOf(findTeam, "delete")).toEqual(deleteTeam);
});

test("a column is narrowed, and no other is named", () => {
  const narrowed = defineStatements<TeamsRows, { findTeam: { path: string; extra: { size: number } } }>(
    texts,
  );
  type Found = Extract<(typeof narrowed.findTeam)["row"], object>;
  const row: Found = { id: "1", path: "a", extra: { size: 1 } };
  expect(row.path.length).toBe(row.extra.size);
  // @ts-expect-error there is no such column
  defineStatements<TeamsRows, { findTeam: { name: string } }>(texts);
  // @ts-expect-error nor in one part of a union
  defineStatements<TeamsRows, { findTeam: { path: string } | { path: null; name: string } }>(texts);
  // @ts-expect-error there is no such statement
  defineStatements<TeamsRows, { findTeams: { path: string } }>(texts);
  // @ts-expect-error it is no number
  defineStatements<TeamsRows, { findTeam: { path: number } }>(texts);
});

test("each statement of the generated types is declared, and no other", () => {
  // @ts-expect-error one is missing
  defineStatements<TeamsRows>({ findTeam: "select" });
  // @ts-expect-error one is not generated
  defineStatements<TeamsRows>({ ...texts, findTeams: "select" });
});
