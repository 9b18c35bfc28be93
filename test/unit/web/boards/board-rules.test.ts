/** Small rules of the page of a board. */
import { expect, test } from "vitest";
import { columnOf } from "../../../../web/src/features/boards/column-of.ts";
import { refreshMs } from "../../../../web/src/features/boards/refresh-ms.ts";
import { hasWord, withWord } from "../../../../web/src/features/search/query-words.ts";

test("a word is put into a query and taken out of it, and the rest stays as it is", () => {
  expect(withWord('label:"a  b" crash', "assignee:me", true)).toBe('assignee:me label:"a  b" crash');
  expect(withWord("Assignee:Me crash", "assignee:me", true)).toBe("Assignee:Me crash");
  expect(withWord('crash Assignee:Me label:"a  b"', "assignee:me", false)).toBe('crash label:"a  b"');
  expect(withWord("is:overdue", "is:overdue", false)).toBe("");
  expect(hasWord("-assignee:me assignee:melanie", "assignee:me")).toBe(false);
});

test("an issue stands in the column of its label, of several in the one that is meant", () => {
  const columns = [{ id: "open" }, { id: "lbl_a" }, { id: "lbl_b" }, { id: "closed" }];
  const standing = (state: "open" | "closed", ...labels: string[]) => ({
    state,
    labels: labels.map((id) => ({ id })),
  });
  expect(columnOf(standing("open", "lbl_x"), columns, "lbl_a")).toBe("open");
  expect(columnOf(standing("open", "lbl_b", "lbl_a"), columns, "lbl_b")).toBe("lbl_b");
  expect(columnOf(standing("open", "lbl_b", "lbl_a"), columns, "open")).toBe("lbl_a");
  expect(columnOf(standing("closed", "lbl_a"), columns, "lbl_a")).toBe("closed");
});

test("a board asks seldom enough for the limits of requests", () => {
  expect(refreshMs({ isSignedIn: true, columns: 4 })).toBe(15_000);
  for (const [columns, pages] of [
    [6, 1],
    [10, 2],
  ] as const) {
    const ms = refreshMs({ isSignedIn: true, columns, pages });
    expect((3_600_000 / Number(ms)) * columns * pages).toBeLessThanOrEqual(1_200);
  }
  expect(refreshMs({ isSignedIn: true, columns: 22, pages: 7 })).toBe(60_000);
  expect(refreshMs({ isSignedIn: false, columns: 4 })).toBe(false);
});
