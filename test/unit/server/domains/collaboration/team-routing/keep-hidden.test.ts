/** What nobody was shown of a team's rules is there after they are saved. */
import { expect, test } from "vitest";
import type { StoredRule } from "@forgeline/server/domains/collaboration/team-routing/decide-target.ts";
import { keepHidden } from "@forgeline/server/domains/collaboration/team-routing/keep-hidden.ts";

const rule = (to: StoredRule["to"], ids: string[] | null): StoredRule => ({
  events: null,
  repository_ids: ids,
  to,
});
const isHidden = (id: string) => id.startsWith("hidden");

test("hidden repositories stay in their rule, and rules of hidden ones alone where they stood", () => {
  const stored = [
    rule("nobody", ["hidden1", "a"]),
    rule("address", ["hidden2"]),
    rule("members", null),
    rule("address", ["b"]),
  ];
  const shown = [rule("nobody", ["a"]), rule("members", null), rule("address", ["b"])];
  expect(keepHidden(stored, shown, isHidden)).toEqual(stored);
  expect(keepHidden(stored, [], isHidden)).toEqual([
    rule("nobody", ["hidden1"]),
    rule("address", ["hidden2"]),
  ]);
  const other = [rule("webhook", null), rule("nobody", ["c"])];
  expect(keepHidden(stored, other, isHidden)).toEqual([
    rule("webhook", null),
    rule("address", ["hidden2"]),
    rule("nobody", ["hidden1", "c"]),
  ]);
  expect(keepHidden([rule("nobody", ["a"])], [], isHidden)).toEqual([]);
});
