/** Where threads stand among changed files, and what a suggestion is made of. */
import { describe, expect, test } from "vitest";
import { isReachable } from "../../../web/src/features/diffs/gaps.ts";
import { parsePatch } from "../../../web/src/features/diffs/parse-patch.ts";
import { holdsLine, placeOf, rangeBetween } from "../../../web/src/features/reviews/line-range.ts";
import { inPageOrder, threadNextTo, threadsByPath } from "../../../web/src/features/reviews/place-threads.ts";
import { createReviewStore } from "../../../web/src/features/reviews/review-store.ts";
import type { Thread } from "../../../web/src/features/reviews/review.ts";
import { suggestionBlock, withSuggestion } from "../../../web/src/features/reviews/suggestion-text.ts";

function thread(id: string, path: string, line: number | null, more: Partial<Thread> = {}): Thread {
  const current = { path, line, start_line: null, commit_sha: "a".repeat(40) };
  return { id, path, line, start_line: null, side: "new", outdated: false, current, ...more } as Thread;
}

describe("lines that a comment is about", () => {
  test("are of one side, whichever was chosen first", () => {
    const range = rangeBetween("a.ts", "R7", "R4");
    expect(range).toEqual({ path: "a.ts", side: "R", start: 4, end: 7 });
    expect(rangeBetween("a.ts", "L7", "R4")).toBeUndefined();
    expect(range && placeOf(range)).toEqual({ path: "a.ts", side: "new", line: 7, start_line: 4 });
    expect(["R3", "R4", "R7", "R8", "L5"].map((name) => range && holdsLine(range, name))).toEqual([
      false,
      true,
      true,
      false,
      false,
    ]);
  });

  test("are shown where the patch or the file around it can show them", () => {
    const hunks = parsePatch("@@ -10,2 +10,3 @@\n line 10\n+new\n line 11\n");
    expect([1, 10, 12].map((line) => isReachable(hunks, `R${line}`, true))).toEqual([true, true, true]);
    expect([1, 10, 12].map((line) => isReachable(hunks, `R${line}`, false))).toEqual([false, true, true]);
    expect(isReachable(hunks, "R13", true)).toBe(false);
  });
});

describe("threads", () => {
  const threads = [
    thread("thr_4", "b.ts", 2),
    thread("thr_3", "a.ts", 9),
    thread("thr_1", "a.ts", null),
    thread("thr_2", "a.ts", 3, { side: "old" }),
    thread("thr_5", "old.ts", 3, { current: null, outdated: true }),
  ];

  test("stand below the line where the code is now, or apart from lines", () => {
    const found = threadsByPath(threads);
    expect([...found.keys()]).toEqual(["b.ts", "a.ts", "old.ts"]);
    const ofA = found.get("a.ts");
    expect([...(ofA?.ofLines.keys() ?? [])]).toEqual(["R9", "L3"]);
    expect(ofA?.ofFile.map(({ id }) => id)).toEqual(["thr_1"]);
    expect(found.get("old.ts")?.outdated.map(({ id }) => id)).toEqual(["thr_5"]);
  });

  test("are gone through as they stand on the page, round and round", () => {
    const ordered = inPageOrder(threads);
    expect(ordered.map(({ id }) => id)).toEqual(["thr_1", "thr_2", "thr_3", "thr_4", "thr_5"]);
    expect(threadNextTo(ordered, undefined, 1)?.id).toBe("thr_1");
    expect(threadNextTo(ordered, "thr_5", 1)?.id).toBe("thr_1");
    expect(threadNextTo(ordered, "thr_1", -1)?.id).toBe("thr_5");
  });

  test("of one file leave what is known of others as it is", () => {
    const store = createReviewStore();
    store.setThreads(threads);
    const [a, b] = [store.notesOf("a.ts"), store.notesOf("b.ts")];
    store.setThreads(threads.filter(({ id }) => id !== "thr_3"));
    expect(store.notesOf("b.ts")).toBe(b);
    expect(store.notesOf("a.ts")).not.toBe(a);
    store.openForm("b.ts", { range: { path: "b.ts", side: "R", start: 1, end: 5 }, seen: "a".repeat(40) });
    expect(store.notesOf("b.ts").lines).toEqual(["R2", "R5"]);
    expect(store.selection()?.end).toBe(5);
    store.closeForm("b.ts");
    expect(store.notesOf("b.ts").lines).toEqual(["R2"]);
    expect(store.selection()).toBeUndefined();
  });
});

test("a suggestion is fenced so that its lines do not end it", () => {
  expect(suggestionBlock(["a", "b"])).toBe("```suggestion\na\nb\n```\n");
  expect(suggestionBlock(["````md"])).toBe("`````suggestion\n````md\n`````\n");
  expect(suggestionBlock([])).toBe("```suggestion\n```\n");
  expect(withSuggestion("Rather: \n", ["a"])).toBe("Rather:\n\n```suggestion\na\n```\n");
});
