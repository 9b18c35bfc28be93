/** Comments as the terminal shows them. */
import { expect, it } from "vitest";
import { renderComment } from "../../../../../cli/commands/comments/show.ts";

const said = { author: { username: "ada" }, body: "No.", created_at: "2026-11-30T20:00:00Z" };
const shown = (more: object) =>
  renderComment({ ...said, path: null, line: null, resolved: null, ...more } as Parameters<
    typeof renderComment
  >[0]);

it("says which lines a comment is about, and whether it is done", () => {
  expect(shown({})).toBe("ada, 2026-11-30T20:00:00Z:\nNo.");
  expect(shown({ path: "a.ts", line: 3, resolved: false })).toBe("ada, 2026-11-30T20:00:00Z, a.ts:3:\nNo.");
  expect(shown({ path: "a.ts", resolved: true })).toBe("ada, 2026-11-30T20:00:00Z, a.ts, resolved:\nNo.");
});
