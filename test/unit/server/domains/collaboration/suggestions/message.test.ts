/** What a commit says that brings suggestions, and whom it names. */
import { expect, test } from "vitest";
import { suggestionsMessage } from "@forgeline/server/domains/collaboration/suggestions/message.ts";

const ada = { name: "Ada", email: "ada@example.com" };
const grace = { name: "Grace", email: "grace@example.com" };
const wanted = { number: 12, count: 1, message: undefined, committer: ada, suggesters: [grace] };

test.each<[object, string]>([
  [{}, "Apply a suggestion from !12\n\nCo-authored-by: Grace <grace@example.com>"],
  [{ count: 3, suggesters: [ada] }, "Apply 3 suggestions from !12"],
  [
    { message: " Use a name\n\nAs agreed.\n", suggesters: [grace, grace, ada] },
    "Use a name\n\nAs agreed.\n\nCo-authored-by: Grace <grace@example.com>",
  ],
])("%j", (more, message) => {
  expect(suggestionsMessage({ ...wanted, ...more })).toBe(message);
});
