/** Whom and what a text names. */
import { describe, expect, test } from "vitest";
import {
  closingReferencesOf,
  maxMentions,
  mentionsOf,
  referencesOf,
} from "@forgeline/markdown/references-of.ts";

const instance = "https://code.example";

test.each<[string, string[], string[]]>([
  ["Thanks @ada, @Ada and @grace.", ["ada", "grace"], []],
  [
    "(@ada) **@bob**: see @acme/core and @acme/parent/child.",
    ["ada", "bob"],
    ["acme/core", "acme/parent/child"],
  ],
  ["`@ada` and\n\n```\n@bob\n```\n\n    @carl\n\n<code>@dan</code> <!-- @eve -->", [], []],
  ["mail ada@example.org, npm i x@1.2, foo/@bob, @@carl", [], []],
  ["[@ada](https://example.org) <script>@bob</script> <style>@carl</style>", [], []],
  ["> @ada said so", ["ada"], []],
])("%j mentions %j and %j", (text, users, teams) => {
  expect(mentionsOf(text)).toEqual({ users, teams });
});

test("mentions of one text have a bound", () => {
  const text = Array.from({ length: 500 }, (_, index) => `@u${index}`).join(" ");
  expect(mentionsOf(text).users).toHaveLength(maxMentions);
});

describe("references", () => {
  const short = (text: string) =>
    referencesOf(text, { instance }).map((one) =>
      one.kind === "commit"
        ? `${one.repository ?? ""}@${one.sha}`
        : `${one.repository ?? ""}${one.kind === "issue" ? "#" : "!"}${one.number}`,
    );
  test.each<[string, string[]]>([
    ["#12, acme/code#3, !34 and acme/code!5", ["#12", "acme/code#3", "!34", "acme/code!5"]],
    ["#12 #12 (#12)", ["#12"]],
    ["`#1` a#2 #3a ##4 #0 wow!5 &#35;6 #1234567890123", ["#6"]],
    ["1234abc acme/code@1234abcd, defaced 1234567 1234567x", ["@1234abc", "acme/code@1234abcd"]],
    [`${"a".repeat(40)} ${"0".repeat(41)}`, [`@${"a".repeat(40)}`]],
    [
      `${instance}/acme/code/issues/7 [x](${instance}/acme/code/merge-requests/8#end)`,
      ["acme/code#7", "acme/code!8"],
    ],
    [`${instance}/acme/code/commit/1234abcd`, ["acme/code@1234abcd"]],
    [`https://other.example/acme/code/issues/7 ${instance}.evil.example/acme/code/issues/7`, []],
  ])("of %j are %j", (text, found) => {
    expect(short(text)).toEqual(found);
  });

  test.each<[string, string[]]>([
    ["Fixes #12. Closes acme/code#3, resolved: #4", ["#12", "acme/code#3", "#4"]],
    ["close #1 closed #2 fix #3 fixed #4 resolve #5 RESOLVES #6", ["#1", "#2", "#3", "#4", "#5", "#6"]],
    [`fixes ${instance}/acme/code/issues/7`, ["acme/code#7"]],
    ["Fixes #1, #2", ["#1"]],
    ["prefix #1 fixing #2 fixes: !3 `fixes #4` <!-- fixes #5 --> fixes the bug of #6", []],
  ])("%j closes %j", (text, found) => {
    const closed = closingReferencesOf(text, { instance });
    expect(closed.map(({ repository, number }) => `${repository ?? ""}#${number}`)).toEqual(found);
  });
});
