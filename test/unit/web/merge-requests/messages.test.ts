/** What a new merge request and the commit that merges one say before somebody writes it. */
import { expect, test } from "vitest";
import { prefill } from "../../../../web/src/features/merge-requests/prefill.ts";
import { suggestedMessage } from "../../../../web/src/features/merge-requests/suggested-message.ts";

test("a single commit describes a merge request, otherwise the branch's name does", () => {
  expect(prefill("fix", ["Retry\n\nThree times."])).toEqual({ title: "Retry", description: "Three times." });
  expect(prefill("ada/retry-uploads", ["b", "a"])).toEqual({ title: "Retry uploads", description: "" });
  expect(prefill("x", ["y".repeat(300)]).title).toHaveLength(255);
});

test("messages name the merge request; squashed commits are listed, oldest first", () => {
  const shown = { number: 4, title: "Retry", description: "", source: "fix", target_branch: "main" };
  const commits = { messages: ["Second\n\nmore", "First"], total: 2 };
  expect(suggestedMessage("merge", shown, commits)).toBe("Merge branch 'fix' into main\n\nRetry (!4)\n");
  expect(suggestedMessage("squash", shown, commits)).toBe("Retry (!4)\n\n* First\n* Second\n");
  expect(suggestedMessage("squash", { ...shown, description: "Why" }, commits)).toBe("Retry (!4)\n\nWhy\n");
});
