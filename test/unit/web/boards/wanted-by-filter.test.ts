/** What the filters of a board say plainly, and how choosers write into a query. */
import { expect, test } from "vitest";
import { wantedByFilter } from "../../../../web/src/features/boards/wanted-by-filter.ts";
import { valuesOf, withQualifier } from "../../../../web/src/features/search/qualifiers.ts";

test("a chooser replaces what the query had of its name, and leaves the rest", () => {
  const q = 'crash label:bug -label:old Label:"help wanted" "label:no"';
  expect(valuesOf(q, "label")).toEqual(["bug", "help wanted"]);
  expect(withQualifier(q, "label", ["ui kit", 'say "x\\'])).toBe(
    String.raw`crash -label:old "label:no" label:"ui kit" label:"say \"x\\"`,
  );
  expect(valuesOf(withQualifier("", "label", ['say "x\\']), "label")).toEqual(['say "x\\']);
  expect(withQualifier("milestone:2.0", "milestone", [])).toBe("");
  expect(withQualifier('crash "open', "author", ["ada"])).toBe('crash "open author:ada');
});

test("a hostile query is read in linear time", () => {
  expect(valuesOf(`label:"${"\\\\".repeat(20_000)}`, "label")).toHaveLength(1);
});

test("an issue gets the labels, the milestone and the people that a filter plainly wants", () => {
  expect(
    wantedByFilter("label:bug label:bug -label:old assignee:me assignee:@bob milestone:2.0 x", "ada"),
  ).toEqual({
    labels: ["bug"],
    milestone: "2.0",
    assignees: ["ada", "bob"],
  });
  const nothing = { labels: [], milestone: undefined, assignees: [] };
  expect(wantedByFilter("no:label label:none assignee:none milestone:none author:bob crash", "ada")).toEqual(
    nothing,
  );
  expect(wantedByFilter("milestone:1 milestone:2", "ada")).toEqual(nothing);
});
