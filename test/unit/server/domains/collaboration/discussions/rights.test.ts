import { expect, test } from "vitest";
import { discussionRights, replyRights } from "@forgeline/server/domains/collaboration/discussions/rights.ts";

const open = { author_id: "usr_a", locked: false };
const rightsOf = (viewer: Parameters<typeof discussionRights>[0], row = open) =>
  Object.entries(discussionRights(viewer, row))
    .filter(([, may]) => may)
    .map(([right]) => right);

test("who belongs to the team replies and changes the own texts, and who manages it keeps order", () => {
  const author = { userId: "usr_a", belongs: true, manages: false };
  const member = { ...author, userId: "usr_b" };
  const maintainer = { ...member, manages: true };
  expect(rightsOf(author)).toEqual(["reply", "edit", "delete"]);
  expect(rightsOf(member)).toEqual(["reply"]);
  expect(rightsOf(maintainer)).toEqual(["reply", "moderate", "delete"]);
  expect(rightsOf({ ...author, belongs: false })).toEqual([]);
  const locked = { ...open, locked: true };
  expect(rightsOf(author, locked)).toEqual(["edit", "delete"]);
  expect(rightsOf(maintainer, locked)).toContain("reply");
});

test("nobody is the author of what a deleted account wrote", () => {
  const nobody = { userId: null, belongs: true, manages: false };
  expect(replyRights(nobody, { author_id: null })).toEqual({ edit: false, delete: false });
  expect(replyRights({ ...nobody, userId: "usr_a" }, { author_id: "usr_a" })).toEqual({
    edit: true,
    delete: true,
  });
});
