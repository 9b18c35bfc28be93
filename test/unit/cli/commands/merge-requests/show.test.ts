/** What lists of merge requests say of one, who have not asked the rules. */
import { expect, it } from "vitest";
import {
  standingInList,
  standingOf,
  type MergeRequest,
} from "../../../../../cli/commands/merge-requests/show.ts";

const one = (more: object) => ({ state: "open", draft: false, mergeable: "clean", ...more }) as MergeRequest;

it("promises in lists no merge that rules may refuse", () => {
  expect([standingOf(one({})), standingInList(one({}))]).toEqual(["can be merged", "no conflicts"]);
  expect(standingInList(one({ draft: true }))).toBe("draft");
  expect(standingInList(one({ state: "merged" }))).toBe("merged");
});
