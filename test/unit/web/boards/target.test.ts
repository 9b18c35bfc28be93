import { expect, test } from "vitest";
import { stepped, targetAt } from "../../../../web/src/features/boards/target.ts";
import { queryOfFilters } from "../../../../web/src/features/saved-filters/query-of-filters.ts";

const columns = [
  { id: "open", numbers: [3, 2, 1] },
  { id: "todo", numbers: [] },
  { id: "closed", numbers: [7, 8] },
];

test("a place is told by its neighbours, without the issue itself", () => {
  expect(targetAt("open", [3, 2, 1], { number: 2, index: 1 })).toEqual({
    column: "open",
    index: 1,
    after: 3,
    before: 1,
  });
  expect(targetAt("open", [3, 2, 1], { number: 9, index: 99 })).toEqual({
    column: "open",
    index: 3,
    after: 1,
  });
  expect(targetAt("todo", [], { number: 9, index: 0 })).toEqual({ column: "todo", index: 0 });
});

test("arrow keys stay on the board", () => {
  const from = { column: "open", index: 2 };
  expect(stepped(columns, from, { number: 1, direction: "down" })).toMatchObject({
    column: "open",
    index: 2,
  });
  expect(stepped(columns, from, { number: 1, direction: "up" })).toMatchObject({
    index: 1,
    after: 3,
    before: 2,
  });
  expect(stepped(columns, from, { number: 1, direction: "left" })).toMatchObject({ column: "open" });
  expect(stepped(columns, from, { number: 1, direction: "right" })).toMatchObject({
    column: "todo",
    index: 0,
  });
  const last = stepped(columns, { column: "closed", index: 0 }, { number: 1, direction: "right" });
  expect(last).toMatchObject({ column: "closed", index: 0, before: 7 });
});

test("filters of a list become one query", () => {
  expect(queryOfFilters({ state: "open" })).toBe("");
  expect(queryOfFilters({ state: "closed", q: "crash", labels: "bug,help wanted", sort: "updated" })).toBe(
    'state:closed crash label:bug label:"help wanted" sort:updated-desc',
  );
  expect(queryOfFilters({ state: "all", q: "is:merged", author: "ada", target_branch: "main" })).toBe(
    "is:merged author:ada target:main",
  );
});
