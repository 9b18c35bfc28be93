import {
  happenedIn,
  stillWanted,
  type SubjectChange,
  type SubjectState,
} from "@forgeline/server/domains/pipelines/merge-request-runs/what-happened.ts";
import { expect, test } from "vitest";

const open: SubjectState = { is_open: true, target_branch: "main", draft: false, labels: ["a"] };
const draft = { ...open, draft: true };
const closed = { ...open, is_open: false };

test.each<[SubjectChange, SubjectState | undefined, SubjectState, string[], string[]]>([
  ["opened", undefined, open, ["opened"], []],
  ["synchronized", open, open, ["updated"], []],
  ["reopened", closed, open, ["reopened"], []],
  ["closed", open, closed, ["closed"], []],
  ["merged", open, closed, ["merged"], []],
  ["edited", open, open, [], []],
  ["edited", open, { ...open, target_branch: "next" }, ["updated"], ["updated"]],
  ["edited", closed, { ...closed, target_branch: "next" }, [], []],
  ["edited", draft, open, ["ready"], []],
  ["edited", open, draft, [], []],
  ["edited", open, { ...open, labels: ["a", "b"] }, ["labeled"], []],
  ["edited", open, { ...open, labels: [] }, [], []],
  ["edited", closed, { ...closed, labels: ["b"] }, [], []],
  ["queued", open, open, [], []],
])("%s, from %o to %o", (action, before, after, byPerson, ofJob) => {
  expect(happenedIn(before, after, { action, byJob: false })).toEqual(byPerson);
  expect(happenedIn(before, after, { action, byJob: true })).toEqual(ofJob);
});

test("what happened before the end makes nothing after it, and the other way round", () => {
  expect(stillWanted({ happened: ["opened", "labeled", "closed"], is_open: false })).toEqual(["closed"]);
  expect(stillWanted({ happened: ["closed", "reopened"], is_open: true })).toEqual(["reopened"]);
  expect(stillWanted({ happened: [], is_open: true })).toEqual(["updated"]);
  expect(stillWanted({ happened: ["opened"], is_open: false })).toEqual([]);
});
