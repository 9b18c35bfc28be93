/** What columns show of an issue that somebody else moved, while each is asked by itself. */
import { describe, expect, test } from "vitest";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { withoutMoved, withoutStale } from "../../../../web/src/features/boards/agree.ts";

const columns = ["open", "lbl_todo", "lbl_doing", "closed"].map((id) => ({ id }));

function issue(number: number, labels: string[], updated = 0, state: "open" | "closed" = "open") {
  const updated_at = new Date(updated * 1000).toISOString();
  return { number, labels: labels.map((id) => ({ id })), state, updated_at } as Schemas["Issue"];
}
const dataOf = (...issues: Schemas["Issue"][]) => ({
  pages: [{ issues, total: issues.length }],
  pageParams: [1],
});
const numbers = (data?: ReturnType<typeof dataOf>) => data?.pages[0]?.issues.map(({ number }) => number);

describe("an issue that another column has by now", () => {
  const todo = { column: "lbl_todo", columns };

  test("leaves the column where it stood", () => {
    const left = withoutMoved(
      dataOf(issue(1, ["lbl_todo"]), issue(2, ["lbl_todo"])),
      [issue(1, ["lbl_doing"], 1)],
      todo,
    );
    expect(numbers(left)).toEqual([2]);
    expect(left?.pages[0]?.total).toBe(1);
  });

  test("leaves it when it was closed, or lost its label", () => {
    const shown = dataOf(issue(1, ["lbl_todo"]), issue(2, ["lbl_todo"]));
    const closed = issue(1, ["lbl_todo"], 1, "closed");
    expect(numbers(withoutMoved(shown, [closed, issue(2, [], 1)], todo))).toEqual([]);
  });

  test("stays where it has the labels of both", () => {
    const both = issue(1, ["lbl_todo", "lbl_doing"], 1);
    expect(numbers(withoutMoved(dataOf(issue(1, ["lbl_todo"])), [both], todo))).toEqual([1]);
  });

  test("stays where what is shown is newer than the answer", () => {
    expect(
      numbers(withoutMoved(dataOf(issue(1, ["lbl_todo"], 2)), [issue(1, ["lbl_doing"], 1)], todo)),
    ).toEqual([1]);
  });
});

test("a late answer does not bring back what has left", () => {
  const answer = { issues: [issue(1, ["lbl_todo"]), issue(2, ["lbl_todo"])], total: 7 };
  const others = [undefined, dataOf(issue(1, ["lbl_doing"], 1))];
  const { issues, total } = withoutStale(answer, others, { column: "lbl_todo", columns });
  expect(issues.map(({ number }) => number)).toEqual([2]);
  expect(total).toBe(6);
});
