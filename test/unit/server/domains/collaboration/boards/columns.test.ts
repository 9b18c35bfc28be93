import { expect, test } from "vitest";
import { columnChange } from "@forgeline/server/domains/collaboration/boards/columns.ts";

const label = (name: string) => ({ id: `lbl_${name}`, name });
const columns = ["todo", "doing"].map(label);

test.each<[string, string, string[], string, object]>([
  ["from open into a column", "open", ["bug"], "lbl_todo", { labels: ["bug", "todo"] }],
  ["between columns", "open", ["bug", "todo"], "lbl_doing", { labels: ["bug", "doing"] }],
  ["back to open", "open", ["bug", "todo", "doing"], "open", { labels: ["bug"] }],
  ["within a column, of two", "open", ["todo", "doing"], "lbl_todo", {}],
  ["within open", "open", ["bug"], "open", {}],
  ["to closed", "open", ["todo"], "closed", { state: "closed" }],
  ["within closed", "closed", ["todo"], "closed", {}],
  ["from closed to its column", "closed", ["todo"], "lbl_todo", { state: "open" }],
  ["from closed to another one", "closed", ["todo"], "lbl_doing", { state: "open", labels: ["doing"] }],
  ["from closed to open", "closed", ["todo", "bug"], "open", { state: "open", labels: ["bug"] }],
])("%s", (_what, state, labels, to, change) => {
  expect(columnChange({ state, labels: labels.map(label) }, columns, to as "open")).toEqual(change);
});
