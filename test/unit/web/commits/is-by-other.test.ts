/** Which commits name a committer beside their author. */
import { expect, test } from "vitest";
import { isByOther } from "../../../../web/src/features/commits/is-by-other.ts";

const ada = { name: "Ada", email: "ada@example.org", date: "2026-01-01T00:00:00.000Z", username: null };

test("a commit is another's where the address or only the name differs", () => {
  expect(isByOther({ author: ada, committer: { ...ada, date: "2026-02-01T00:00:00.000Z" } })).toBe(false);
  expect(isByOther({ author: ada, committer: { ...ada, email: "eve@example.org" } })).toBe(true);
  expect(isByOther({ author: ada, committer: { ...ada, name: "Eve" } })).toBe(true);
});
