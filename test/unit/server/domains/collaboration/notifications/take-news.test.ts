/** What a text newly says, compared with what has been told of it. */
import { expect, test } from "vitest";
import {
  compare,
  type RecordedNews,
} from "@forgeline/server/domains/collaboration/notifications/take-news.ts";

const news = (body: string, assigneeIds: string[] | null = null): RecordedNews => ({
  position: 1,
  kind: "issue",
  action: "edited",
  senderId: "usr_1",
  itemId: "iss_1",
  textId: "iss_1",
  body,
  assigneeIds,
  reviewerIds: null,
});
const before = { id: "iss_1", mentions: ["ada"], assignees: ["usr_2"], reviewers: [] };

test("names count once, whatever their case, and also after they were taken out", () => {
  expect(compare(news("@Ada and @Eve, @acme/core"), before)).toMatchObject({
    names: ["eve", "acme/core"],
    after: { mentions: ["ada", "eve", "acme/core"], assignees: ["usr_2"] },
  });
  expect(compare(news("nobody"), before).after.mentions).toEqual(["ada"]);
  expect(compare(news("`@eve`"), before).names).toEqual([]);
});

test("whoever is assigned anew is told, also after they were not", () => {
  expect(compare(news("", ["usr_2", "usr_3"]), before)).toMatchObject({ assignees: ["usr_3"] });
  const emptied = compare(news("", []), before).after;
  expect(compare(news("", ["usr_2"]), emptied).assignees).toEqual(["usr_2"]);
});

test("whoever is asked once more is told again, and an edit in the same moment says nothing more", () => {
  const reviewed = { ...before, reviewers: ["usr_2"] };
  const asked = {
    ...news(""),
    kind: "merge_request",
    action: "review_requested",
    reviewerIds: ["usr_2", "usr_3"],
  };
  const told = compare({ ...asked, askedUserIds: ["usr_2", "usr_3"] }, reviewed);
  expect(told.reviewers).toEqual(["usr_2", "usr_3"]);
  expect(compare({ ...asked, action: "edited" }, told.after).reviewers).toEqual([]);
});
