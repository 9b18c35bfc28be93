/** What pages of issues decide without a browser: the order of a conversation, quotes, and filters in the address. */
import { expect, test } from "vitest";
import { maxQueryChars } from "@forgeline/schemas/search/resource.ts";
import {
  asksOverdue,
  filtersOf,
  isNarrowed,
  withoutFilters,
  withOverdue,
} from "../../../web/src/features/issues/issue-filters.ts";
import * as mergeRequests from "../../../web/src/features/merge-requests/merge-request-filters.ts";
import { labelNames, withValues } from "../../../web/src/features/work-items/address-filters.ts";
import { mergeByTime } from "../../../web/src/features/work-items/merge-by-time.ts";
import { withQuote } from "../../../web/src/features/work-items/quote.ts";

type Comments = Parameters<typeof mergeByTime>[0];
type Events = Parameters<typeof mergeByTime>[1];

const atMinute = (minute: number) => `2026-11-30T10:0${minute}:00.000Z`;
const comments = (minutes: number[], hasMore = false) => ({
  items: minutes.map((minute) => ({ created_at: atMinute(minute) }) as Comments["items"][number]),
  hasMore,
});
const events = (minutes: number[], hasMore = false) => ({
  items: minutes.map((minute) => ({ created_at: atMinute(minute) }) as Events["items"][number]),
  hasMore,
});
const shown = (merged: ReturnType<typeof mergeByTime>) =>
  merged.entries.map(({ kind, at }) => `${kind} ${at.slice(15, 16)}`);

test("comments and events stand in the order of time", () => {
  const merged = mergeByTime(comments([1, 4]), events([2, 3]));
  expect(shown(merged)).toEqual(["comment 1", "event 2", "event 3", "comment 4"]);
  expect(merged.next).toBeUndefined();
});

test("nothing is shown that something not fetched yet could precede", () => {
  const merged = mergeByTime(comments([1, 2], true), events([1, 3, 5]));
  expect(shown(merged)).toEqual(["comment 1", "event 1", "comment 2"]);
  expect(merged.next).toBe("comments");
  expect(mergeByTime(comments([1, 4], true), events([2], true)).next).toBe("events");
  expect(mergeByTime(comments([]), events([])).entries).toEqual([]);
});

test("a quote is added below what was typed", () => {
  expect(withQuote("", "a\n\nb\n")).toBe("> a\n>\n> b\n\n");
  expect(withQuote("Hello \n", "a")).toBe("Hello\n\n> a\n\n");
});

test("filters are read from the address; what the server would refuse is left out", () => {
  const query = new URLSearchParams("state=closed&labels=bug,a::b&q=%20x%20&sort=comments&direction=asc");
  expect(filtersOf(query)).toEqual({
    state: "closed",
    labels: "bug,a::b",
    q: "x",
    sort: "comments",
    direction: "asc",
  });
  const wrong = new URLSearchParams({
    state: "merged",
    sort: "size",
    q: "x".repeat(maxQueryChars + 1),
    author: " ",
  });
  expect(filtersOf(wrong)).toEqual({ state: "open" });
  expect(isNarrowed(filtersOf(wrong))).toBe(false);
  expect(labelNames(" bug,, a::b ")).toEqual(["bug", "a::b"]);
});

test("filters of merge requests are those that the server takes, and an order narrows nothing", () => {
  const query = new URLSearchParams("state=merged&draft=false&labels=a&target_branch=main&sort=comments");
  const filters = mergeRequests.filtersOf(query);
  expect(filters).toEqual({
    state: "merged",
    draft: "false",
    labels: "a",
    target_branch: "main",
    sort: "comments",
  });
  expect(mergeRequests.isNarrowed(filters)).toBe(true);
  const wrong = new URLSearchParams({ draft: "maybe", author: "x".repeat(202), direction: "asc" });
  expect(mergeRequests.filtersOf(wrong)).toEqual({ state: "open", direction: "asc" });
  expect(mergeRequests.isNarrowed(mergeRequests.filtersOf(wrong))).toBe(false);
});

test("a changed filter begins with the first page, and clearing filters keeps the rest", () => {
  const query = new URLSearchParams("state=closed&page=3&author=ada&sort=updated");
  expect(withValues(query, { assignee: "bob", author: "" }).toString()).toBe(
    "state=closed&sort=updated&assignee=bob",
  );
  expect(withoutFilters(query).toString()).toBe("state=closed&sort=updated");
});

test("overdue issues are asked for in the search", () => {
  expect(withOverdue({ q: "crash" }, true)).toBe("is:overdue crash");
  expect(withOverdue({ q: "crash IS:overdue label:x" }, false)).toBe("crash label:x");
  expect([asksOverdue({ q: "a is:Overdue" }), asksOverdue({ q: "-is:overdue" }), asksOverdue({})]).toEqual([
    true,
    false,
    false,
  ]);
});
