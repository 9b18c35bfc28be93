import { describe, expect, it } from "vitest";
import { repositoryLevels } from "@forgeline/schemas/core/repository-levels.ts";
import { mayChange } from "@forgeline/server/domains/collaboration/work-items/may-change.ts";

const item = { author_id: "usr_author", locked: false };
const rights = (level: (typeof repositoryLevels)[number], userId: string | null = "usr_other", more = {}) => {
  const may = mayChange({ userId, level, archived: false, ...more }, { ...item, ...more });
  return Object.entries(may)
    .filter(([, allowed]) => allowed)
    .map(([name]) => name);
};

describe("what somebody may do with an issue", () => {
  it("grows with the level", () => {
    expect(rights("read")).toEqual(["comment"]);
    expect(rights("triage")).toEqual(["comment", "close", "triage"]);
    expect(rights("write")).toEqual(["comment", "close", "triage"]);
    expect(rights("maintain")).toEqual(["comment", "edit", "close", "triage", "pin"]);
    expect(rights("admin")).toEqual(["comment", "edit", "close", "triage", "pin", "delete"]);
  });

  it("includes one's own text, whatever the level", () => {
    expect(rights("read", "usr_author")).toEqual(["comment", "edit", "close"]);
  });

  it("is nothing for those who are not signed in, and in an archived repository", () => {
    for (const level of repositoryLevels) {
      expect(rights(level, null)).toEqual([]);
      expect(rights(level, "usr_author", { archived: true })).toEqual([]);
    }
  });

  it("leaves comments on what is locked to those with Triage", () => {
    expect(rights("read", "usr_author", { locked: true })).toEqual(["edit", "close"]);
    expect(rights("triage", "usr_other", { locked: true })).toContain("comment");
  });

  it("is not the author's where the account is gone", () => {
    const may = mayChange(
      { userId: null, level: "read", archived: false },
      { author_id: null, locked: false },
    );
    expect(may.edit).toBe(false);
  });
});
