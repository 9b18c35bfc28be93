/** Who is told of what, and why: one row for each case. */
import { expect, test } from "vitest";
import {
  reasonToTell,
  type News,
  type PersonFacts,
} from "@forgeline/server/domains/collaboration/notifications/who-is-told.ts";

const nobody: PersonFacts = {
  may_read: true,
  mentioned: false,
  team_mentioned: false,
  newly_assigned: false,
  newly_asked: false,
  team_asked: false,
  is_asker: false,
  is_author: false,
  is_assignee: false,
  is_reviewer: false,
  has_commented: false,
  thread: null,
  level: null,
  kinds: [],
};
const comment: News = { kind: "issue", only_named: false, event: "commented" };
const edit: News = { kind: "issue", only_named: true, event: "edited" };
const autoMergeEnded: News = { kind: "merge_request", only_named: false, event: "auto_merge_disabled" };
const merged: News = { kind: "merge_request", only_named: false, event: "merged" };
const asked: News = { kind: "merge_request", only_named: true, event: "review_requested" };
const everything = { mentioned: true, team_mentioned: true, newly_assigned: true, is_author: true } as const;
const involved = { is_assignee: true, is_author: true, has_commented: true } as const;

test.each<[string, Partial<PersonFacts>, News, string | null]>([
  ["nothing concerns them", {}, comment, null],
  ["several reasons: the strongest", everything, comment, "mention"],
  ["a team's mention before an assignment", { ...everything, mentioned: false }, comment, "team_mention"],
  ["asked for a review now", { newly_asked: true, newly_assigned: true }, edit, "review_requested"],
  ["asked for a review before", { is_reviewer: true, is_author: true }, comment, "review_requested"],
  ["assigned now", { newly_assigned: true, is_author: true }, comment, "assign"],
  ["assigned before", involved, comment, "assign"],
  ["the author", { ...involved, is_assignee: false }, comment, "author"],
  ["a commenter who also watches", { has_commented: true, level: "watching" }, comment, "comment"],
  ["subscribed", { thread: "subscribed", level: "watching" }, comment, "subscribed"],
  ["watching", { level: "watching" }, comment, "watching"],
  ["watching issues, an issue", { level: "custom", kinds: ["issues"] }, comment, "watching"],
  ["watching merge requests, an issue", { level: "custom", kinds: ["merge_requests"] }, comment, null],
  [
    "watching merge requests, one",
    { level: "custom", kinds: ["merge_requests"] },
    { kind: "merge_request", only_named: false, event: "opened" },
    "watching",
  ],
  ["an edit that names them", { mentioned: true }, edit, "mention"],
  ["an edit that assigns them", { newly_assigned: true }, edit, "assign"],
  ["an edit of what they wrote and watch", { ...involved, level: "watching" }, edit, null],
  [
    "the end of merging by itself, the author",
    { is_author: true, level: "watching" },
    autoMergeEnded,
    "author",
  ],
  ["the end of merging by itself, whoever asked", { is_asker: true }, autoMergeEnded, "auto_merge"],
  ["a merge, whoever asked for it and watches", { is_asker: true, level: "watching" }, merged, "auto_merge"],
  ["asked for a review by its own event", { newly_asked: true }, asked, "review_requested"],
  ["somebody else is asked", { ...involved, level: "watching" }, asked, null],
  ["the end of merging by itself, others", { has_commented: true, level: "watching" }, autoMergeEnded, null],
  ["a muted repository, named", { ...everything, level: "muted" }, comment, null],
  ["a muted thread", { ...involved, level: "watching", thread: "muted" }, comment, null],
  ["a muted thread, their team named", { team_mentioned: true, thread: "muted" }, comment, null],
  ["a muted thread, asked by name", { newly_asked: true, thread: "muted" }, asked, "review_requested"],
  ["a muted thread, their team asked", { team_asked: true, thread: "muted" }, asked, null],
  ["their team asked", { team_asked: true }, asked, "review_requested"],
  ["a muted thread, named", { mentioned: true, thread: "muted" }, comment, "mention"],
  ["a muted thread, assigned", { newly_assigned: true, thread: "muted" }, comment, "assign"],
  ["may not read it", { ...everything, may_read: false }, comment, null],
])("%s", (_, facts, news, reason) => {
  expect(reasonToTell({ ...nobody, ...facts }, news)).toBe(reason);
});
