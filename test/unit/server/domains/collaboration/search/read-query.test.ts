import { expect, test } from "vitest";
import { readQuery } from "@forgeline/server/domains/collaboration/search/read-query.ts";
import { readDays } from "@forgeline/server/domains/collaboration/search/read-days.ts";

const words = (text: string, exact = false, not = false) => ({ on: "words", any: [{ text, exact }], not });
const ada = (role: string) => ({ on: "person", role, any: [{ name: "ada", isViewer: false }], not: false });

test.each<[string, unknown[]]>([
  ["", []],
  ["  crash  ", [words("crash")]],
  ["ab", [words("ab", true)]],
  ['"exact phrase" -without', [words("exact phrase", true), words("without", false, true)]],
  [
    "one or two three",
    [
      {
        on: "words",
        any: [
          { text: "one", exact: false },
          { text: "two", exact: false },
        ],
        not: false,
      },
      words("three"),
    ],
  ],
  ["or crash or", [words("or", true), words("crash")]],
  ["std::string http://x.y - !!", [words("std::string"), words("http://x.y")]],
  ["author:ada", [ada("author")]],
  [
    String.raw`label:"say \"hi\" in C:\\" a\"b`,
    [{ on: "label", name: 'say "hi" in C:\\', not: false }, words(String.raw`a\"b`)],
  ],
  ["AUTHOR:@ada", [ada("author")]],
  [
    'label:"help wanted" -label:x',
    [
      { on: "label", name: "help wanted", not: false },
      { on: "label", name: "x", not: true },
    ],
  ],
  ["is:open is:closed", [{ on: "state", any: ["open", "closed"], not: false }]],
  [
    "is:mr -is:draft",
    [
      { on: "kind", any: ["merge_request"], not: false },
      { on: "mark", mark: "draft", not: true },
    ],
  ],
  ["is:overdue", [{ on: "mark", mark: "overdue", not: false }]],
  ["draft:false", [{ on: "mark", mark: "draft", not: true }]],
  [
    "no:label assignee:none",
    [
      { on: "lacks", what: "label", not: false },
      { on: "lacks", what: "assignee", not: false },
    ],
  ],
  [
    "repo:a/b repo:c/d org:e",
    [
      { on: "repository", any: ["a/b", "c/d"], not: false },
      { on: "owner", any: ["e"], not: false },
    ],
  ],
  ["milestone:none", [{ on: "lacks", what: "milestone", not: false }]],
  ['milestone:"none"', [{ on: "milestone", title: "none", not: false }]],
  ["created:>=2026-11-30", [{ on: "date", field: "created", from: "2026-11-30", before: null, not: false }]],
])("%j asks for what it says", (text, conditions) => {
  expect(readQuery(text, "ada")).toEqual({ conditions, order: null });
});

test("me is whoever asks, and sort: is no condition", () => {
  const assigned = { on: "person", role: "assignee", any: [{ name: "rick", isViewer: true }], not: false };
  expect(readQuery("assignee:@me sort:updated-asc", "rick")).toEqual({
    conditions: [assigned],
    order: { sort: "updated", direction: "asc" },
  });
  expect(readQuery("sort:comments", null).order).toEqual({ sort: "comments", direction: "desc" });
});

test.each([
  ['crash "open', "The quotation mark is not closed (character 7)"],
  ["a label:", "label: needs a value (character 9)"],
  [
    "is:lost",
    "is:lost cannot be understood: is: can be open, closed, merged, issue, mr, draft, locked, pinned, overdue (character 1)",
  ],
  [
    "x author:me",
    "author:me cannot be understood: author: takes somebody who is signed in: write a user name (character 3)",
  ],
  ["author:a(b", "author:a(b cannot be understood: author: is a user name, or me (character 1)"],
  ["repo:site", "repo:site cannot be understood: repo: is written repo:OWNER/NAME (character 1)"],
  [
    "due:soon",
    "due:soon cannot be understood: due: is a day, as in 2026-11-30, >=2026-11-30 or 2026-11-01..2026-11-30 (character 1)",
  ],
  [
    "sort:age",
    "sort:age cannot be understood: sort: is created, updated, comments, each also with -asc or -desc (character 1)",
  ],
  ["x ".repeat(31), "A query has at most 30 words and qualifiers (character 61)"],
])("%j is refused, with the place", (text, message) => {
  expect(() => readQuery(text, null)).toThrow(message);
});

test.each([
  ["2026-02-28", { from: "2026-02-28", before: "2026-03-01" }],
  [">2026-12-31", { from: "2027-01-01", before: null }],
  ["<2026-01-01", { from: null, before: "2026-01-01" }],
  ["<=2026-01-01", { from: null, before: "2026-01-02" }],
  ["2026-01-01..*", { from: "2026-01-01", before: null }],
  ["2026-02-30", undefined],
  ["0000-01-01", undefined],
  ["..", undefined],
])("days: %s", (text, days) => {
  expect(readDays(text)).toEqual(days);
});
