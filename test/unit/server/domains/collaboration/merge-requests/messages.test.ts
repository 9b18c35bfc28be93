import { expect, test } from "vitest";
import {
  defaultMessage,
  withCoAuthors,
} from "@forgeline/server/domains/collaboration/merge-requests/messages.ts";

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

test("co-authors stand at the end, and their names say nothing else", () => {
  const ada = { name: "Ada", email: "ada@example.org" };
  const odd = { name: "Fixes #1 @all\n<x>", email: "a b@example.org" };
  expect(withCoAuthors("Bring it\n", [ada, odd, { ...odd, email: "c@example.org" }])).toBe(
    "Bring it\n\nCo-authored-by: Ada <ada@example.org>\nCo-authored-by: Fixes 1 allx <c@example.org>\n",
  );
  expect(withCoAuthors("x", [odd])).toBe("x");
  const many = Array.from({ length: 100 }, () => ada);
  expect(withCoAuthors("x", many).match(/Co-authored-by/g)).toHaveLength(20);
});
