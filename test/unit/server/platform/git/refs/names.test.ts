import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { isObjectId, isSafeRefName, shortRefName } from "@forgeline/server/platform/git/refs/names.ts";

describe("isSafeRefName", () => {
  const names = [
    "main",
    "feature/x",
    "a.b",
    "ünïcode",
    "a@b",
    "@",
    "-x",
    "--exec=x",
    "a..b",
    "a b",
    "a~1",
    "a^",
    "a:b",
    "a?",
    "a*",
    "a[",
    "a\\b",
    "a//b",
    "/a",
    "a/",
    "a.",
    ".a",
    "a/.b",
    "a.lock",
    "a.lock/b",
    "a@{b",
    "a\u007f",
    "a\nb",
    "a/-b",
    "$(x)",
    "`x`",
    "",
  ];
  it.each(names)("agrees with Git about %j, but never lets a leading '-' pass", (name) => {
    let git = true;
    try {
      execFileSync("git", ["check-ref-format", `refs/heads/${name}`], { stdio: "ignore" });
    } catch {
      git = false;
    }
    // Git has a special meaning for `@` alone, and leaves options to others.
    expect(isSafeRefName(name)).toBe(git && !name.startsWith("-") && name !== "@");
  });
});

it("takes full object ids only", () => {
  expect(isObjectId("a".repeat(40))).toBe(true);
  for (const text of ["a".repeat(39), "A".repeat(40), "g".repeat(40), `${"a".repeat(40)}\n`, "HEAD"])
    expect(isObjectId(text)).toBe(false);
});

it("shortens names as people say them", () => {
  expect(["refs/heads/a/b", "refs/tags/v1", "refs/notes/x"].map(shortRefName)).toEqual([
    "a/b",
    "v1",
    "notes/x",
  ]);
});
