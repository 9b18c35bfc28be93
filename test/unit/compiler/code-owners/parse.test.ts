import { rulesFor } from "@forgeline/compiler/code-owners/match.ts";
import { parseCodeOwners } from "@forgeline/compiler/code-owners/parse.ts";
import { describe, expect, test } from "vitest";

const owners = (text: string, path: string) =>
  rulesFor(parseCodeOwners(text), path, { steps: 1_000_000 }).map(({ section, rule }) => [
    section.name,
    rule.line,
    rule.owners.map((owner) => owner.text).join(" "),
  ]);
const errors = (text: string) =>
  parseCodeOwners(text).errors.map(({ line, column, kind }) => `${line}:${column} ${kind}`);

/** GitHub's own example, without its explanations. */
const github = `# This is a comment.
*       @global-owner1 @global-owner2
*.js    @js-owner #This is an inline comment.
*.go docs@example.com
*.txt @octo-org/octocats
/build/logs/ @doctocat
docs/* docs@example.com
apps/ @octocat
/docs/ @doctocat
/scripts/ @doctocat @octocat
**/logs @octocat
/apps/ @octocat
/apps/github
`;

test.each([
  ["README.md", 2, "@global-owner1 @global-owner2"],
  ["src/a.js", 3, "@js-owner"],
  ["a.go", 4, "docs@example.com"],
  ["a.txt", 5, "@octo-org/octocats"],
  ["build/logs/a.b", 11, "@octocat"],
  ["x/docs/a.md", 2, "@global-owner1 @global-owner2"],
  ["docs/a.md", 9, "@doctocat"],
  ["x/apps/a.md", 8, "@octocat"],
  ["scripts/run.sh", 10, "@doctocat @octocat"],
  ["apps/a/b.js", 12, "@octocat"],
  ["apps/github/a", 13, ""],
])("in GitHub's example the last line that matches %s is %i", (path, line, expected) => {
  expect(parseCodeOwners(github).errors).toEqual([]);
  expect(owners(github, path)).toEqual([[null, line, expected]]);
});

test("line ends of Windows, a byte order mark, blanks and names in any case are read", () => {
  const text = "\uFEFF  /a\t@Ada   @Acme/Web/Core \r\n\r\n\\#b Ada@Example.com\r\n";
  expect(errors(text)).toEqual([]);
  expect(owners(text, "a/x")).toEqual([[null, 1, "@Ada @Acme/Web/Core"]]);
  expect(parseCodeOwners(text).mentions.map(({ owner, line, column }) => [owner.name, line, column])).toEqual(
    [
      ["ada", 1, 6],
      ["acme/web/core", 1, 13],
      ["ada@example.com", 3, 5],
    ],
  );
});

describe("sections", () => {
  const text = `* @all
[Documentation][2] @docs-team
docs/
*.md @writers
^[Data Base]
/db @dba
[DOCUMENTATION] @second
/more
`;
  test("each asks by its own last line, with its own owners where the line names none", () => {
    expect(owners(text, "docs/a.md")).toEqual([
      [null, 1, "@all"],
      ["Documentation", 4, "@writers"],
    ]);
    expect(owners(text, "docs/a.txt").at(-1)).toEqual(["Documentation", 3, "@docs-team"]);
    expect(owners(text, "more/a").at(-1)).toEqual(["Documentation", 8, "@second"]);
    expect(owners(text, "db/a").at(-1)).toEqual(["Data Base", 6, "@dba"]);
  });
  test("approvals and `^` are read", () => {
    expect(parseCodeOwners(text).sections.map(({ section }) => section)).toEqual([
      { name: null, optional: false, approvals: 1 },
      { name: "Documentation", optional: false, approvals: 2 },
      { name: "Data Base", optional: true, approvals: 1 },
    ]);
  });
});

test.each([
  ["*.js js-owner", "1:6 invalid_owner"],
  ["a @ada @", "1:8 invalid_owner"],
  ["a @@maintainer", "1:3 invalid_owner"],
  ["a @a/", "1:3 invalid_owner"],
  ["a\n  !b @ada", "2:3 invalid_pattern"],
  ["src/[a-z].ts @ada", "1:5 invalid_pattern"],
  ["[a-z].ts @ada", "1:6 invalid_section"],
  ["[Name", "1:1 invalid_section"],
  ["^[ ] @ada", "1:2 invalid_section"],
  ["[Name][0]", "1:7 invalid_section"],
  ["[Name][many]", "1:7 invalid_section"],
  [`a ${"@ada ".repeat(101)}`, "1:503 invalid_owner"],
])("%j is refused: %s", (text, expected) => {
  expect(errors(text)).toEqual([expected]);
});

test("a line with an error is left out, and hints say how it is meant", () => {
  const text = "* @all\n*.js ada @ben\n/app/[id].tsx @ada\n[id].ts @ada";
  expect(owners(text, "a.js")).toEqual([[null, 1, "@all"]]);
  expect(parseCodeOwners(text).errors.map(({ suggestion }) => suggestion)).toEqual([
    "@ada",
    "/app/\\[id\\].tsx",
    "\\[id\\].ts",
  ]);
});

describe("a file with more than the limits is not used", () => {
  test.each([
    ["bytes", "a".repeat(3 * 1024 * 1024 + 1), "file_too_large"],
    ["lines", "a @b\n".repeat(20_001), "too_many_lines"],
    ["owners", Array.from({ length: 2001 }, (_, n) => `a @u${n}\n`).join(""), "too_many_owners"],
    ["places", `a ${"@b ".repeat(100)}\n`.repeat(1001), "too_many_owners"],
  ])("%s", (_what, text, kind) => {
    expect(parseCodeOwners(text)).toMatchObject({ sections: [], errors: [{ line: 1, kind }] });
  });
  test("of many errors the first are told, and all are counted", () => {
    const { errors: told, errorCount } = parseCodeOwners("!a\n".repeat(5000));
    expect([told.length, errorCount]).toEqual([1000, 5000]);
  });
});
