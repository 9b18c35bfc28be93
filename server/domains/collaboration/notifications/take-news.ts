/** What an event newly says: whom its text names for the first time, and whom it assigns. */
import { mentionsOf } from "@forgeline/markdown/references-of.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import type { RouteTeams } from "../team-routing/route-news.ts";
import {
  findTeamIds,
  findUserIds,
  insertTellings,
  readTold,
  writeTold,
  type NewTelling,
  type ToldText,
} from "./telling.store.ts";

/** An event of an issue, a merge request or a comment, as it was recorded. */
export interface RecordedNews {
  position: number;
  kind: string;
  action: string;
  senderId: string | null;
  /** The issue or merge request, and the text: that of itself, or a comment. */
  itemId: string;
  textId: string;
  body: string;
  /** Of issues and merge requests; null for comments. */
  assigneeIds: readonly string[] | null;
  /** Of merge requests: who is asked for a review, and who has reviewed it. */
  reviewerIds: readonly string[] | null;
  /** Which teams this very event asks for a review. */
  askedTeamIds?: readonly string[];
}

/** What is told of, by what webhooks are told. */
const events: Readonly<Record<string, string>> = {
  "issue opened": "opened",
  "issue edited": "edited",
  "issue closed": "closed",
  "issue reopened": "reopened",
  "merge_request opened": "opened",
  "merge_request edited": "edited",
  "merge_request closed": "closed",
  "merge_request reopened": "reopened",
  "merge_request merged": "merged",
  "merge_request dequeued": "dequeued",
  "merge_request auto_merge_disabled": "auto_merge_disabled",
  "merge_request_review submitted": "reviewed",
  "comment created": "commented",
  "comment edited": "edited",
};

/** After a review: those who reviewed it without being asked are reviewers, and nobody is told of that. */
const noted = "merge_request noted";

/** Of one text; names that were written and removed again count. */
const maxKeptNames = 1_000;

/** Writes down whom there is to tell, in the transaction that moves the follower. The events are in order. */
export async function takeNews(
  tx: Transaction,
  all: readonly RecordedNews[],
  routeTeams: RouteTeams,
): Promise<void> {
  const news = all.filter((one) => nameOf(one) in events || nameOf(one) === noted);
  if (news.length === 0) return;
  const known = await readTold(
    tx,
    news.map(({ textId }) => textId),
  );
  const told = new Map(known.map((text) => [text.id, text]));
  const changed = new Map<string, ToldText & { itemId: string }>();
  const tellings: NewTelling[] = [];
  for (const one of news) {
    const before = told.get(one.textId) ?? { id: one.textId, ...nothing };
    const read = compare(one, before);
    told.set(one.textId, read.after);
    if (sizeOf(read.after) + sizeOf(before) > 0)
      changed.set(one.textId, { ...read.after, itemId: one.itemId });
    const telling = await resolve(tx, { news: one, read, routeTeams });
    if (telling) tellings.push(telling);
  }
  await writeTold(tx, [...changed.values()]);
  await insertTellings(tx, tellings);
}

const nothing = { mentions: [], assignees: [], reviewers: [] };
const sizeOf = ({ mentions, assignees, reviewers }: ToldText) =>
  mentions.length + assignees.length + reviewers.length;
const nameOf = ({ kind, action }: RecordedNews) => `${kind} ${action}`;

interface Compared {
  /** Names of users, and of teams with a slash, that were not there before. */
  names: string[];
  assignees: string[];
  reviewers: string[];
  after: ToldText;
}

const noMentions = { users: [], teams: [] };
/** What comes with a text that is new, or may be. */
const withText: ReadonlySet<string> = new Set(["opened", "edited", "created", "submitted"]);

function mayMention({ action, body }: RecordedNews): boolean {
  return withText.has(action) && /@\w/.test(body);
}

/** Exported for its test. */
export function compare(news: RecordedNews, before: ToldText): Compared {
  const { users, teams } = mayMention(news) ? mentionsOf(news.body) : noMentions;
  const names = [...users, ...teams].map((name) => name.toLowerCase());
  const added = names.filter((name) => !before.mentions.includes(name));
  const assigned = news.assigneeIds ?? before.assignees;
  const asked = news.reviewerIds ?? before.reviewers;
  return {
    names: added,
    assignees: assigned.filter((id) => !before.assignees.includes(id)),
    reviewers: asked.filter((id) => !before.reviewers.includes(id)),
    after: {
      id: before.id,
      mentions: [...before.mentions, ...added].slice(-maxKeptNames),
      assignees: assigned,
      reviewers: asked,
    },
  };
}

/** Undefined where it tells nobody anything. */
async function resolve(
  tx: Transaction,
  { news, read, routeTeams }: { news: RecordedNews; read: Compared; routeTeams: RouteTeams },
): Promise<NewTelling | undefined> {
  const { names, assignees, reviewers } = read;
  const event = events[nameOf(news)];
  if (event === undefined) return undefined;
  const onlyNamed = event === "edited";
  const isTeam = (name: string) => name.includes("/");
  const mentioned = await findUserIds(
    tx,
    names.filter((name) => !isTeam(name)),
  );
  const named = await findTeamIds(tx, names.filter(isTeam), news.senderId);
  const asked = news.askedTeamIds ?? [];
  const routed = await routeTeams(tx, { ...news, event }, { team_mention: named, review_requested: asked });
  const teams = routed.team_mention;
  if (onlyNamed && mentioned.length + teams.length + assignees.length + reviewers.length === 0)
    return undefined;
  return {
    position: news.position,
    item_id: news.itemId,
    text_id: news.textId,
    actor_id: news.senderId,
    event,
    only_named: onlyNamed,
    mentioned,
    teams,
    assignees,
    reviewers,
  };
}
