import { expect, test } from "vitest";
import { defaultMessage } from "@forgeline/server/domains/collaboration/merge-requests/messages.ts";

const merged = {
  number: 7,
  title: "Retry uploads",
  description: "  ",
  source: "fix/retry",
  target: "main",
  subjects: ["Retry once", "Retry twice"],
};

test("a merge names both branches, then the title", () => {
  expect(defaultMessage("merge", merged)).toBe("Merge branch 'fix/retry' into main\n\nRetry uploads (!7)\n");
});

test("a squash has the title, and the description or else what each commit says", () => {
  expect(defaultMessage("squash", { ...merged, description: "Because.\n" })).toBe(
    "Retry uploads (!7)\n\nBecause.\n",
  );
  expect(defaultMessage("squash", merged)).toBe("Retry uploads (!7)\n\n* Retry once\n* Retry twice\n");
  expect(defaultMessage("squash", { ...merged, subjects: ["Retry once"] })).toBe("Retry uploads (!7)\n");
  const many = Array.from({ length: 103 }, (_, n) => `Commit ${n}`);
  expect(defaultMessage("squash", { ...merged, subjects: many })).toMatch(
    /\n\* Commit 99\n\* … and 3 more\n$/,
  );
});
