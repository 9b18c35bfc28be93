/** What an event newly says: whom its text names for the first time, and whom it assigns. */
import { mentionsOf } from "@forgeline/markdown/references-of.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import { endAwaiting } from "./awaiting.store.ts";
import { approvalRequested } from "./columns.store.ts";
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
  /** Who is asked for a review by this very event, maybe once more. */
  askedUserIds?: readonly string[];
  askedTeamIds?: readonly string[];
  /** Who had asked for the merge that it ends. */
  askerIds?: readonly string[];
  /** Why something has ended. */
  ended?: string | null;
  /** Of the merge request. */
  state?: "open" | "closed" | "merged" | null;
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
  "merge_request review_requested": "review_requested",
  "merge_request approval_requested": approvalRequested,
  "merge_request_review submitted": "reviewed",
  "merge_request_review edited": "edited",
  "comment created": "commented",
  "comment edited": "edited",
};

/** What is told of a run that is not approved, to whoever proposed it; not that it was, or that it is of no use any more. */
const approvalEnds: Readonly<Record<string, string>> = {
  rejected: "approval_rejected",
  expired: "approval_expired",
};

/** Where the merge request itself has come to an end, that is told, and says enough. */
const saidByEnd: ReadonlySet<string> = new Set(["dequeued", "auto_merge_disabled", "approval_ended"]);
/** Runs of it wait no longer, or not all of them. */
const endsWaiting: ReadonlySet<string> = new Set(["approval_ended", "closed", "merged"]);

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
  const ended = all.filter(({ kind, action }) => kind === "merge_request" && endsWaiting.has(action));
  await endAwaiting(tx, [...new Set(ended.map(({ itemId }) => itemId))]);
  const news = all.filter((one) => eventOf(one) !== undefined || nameOf(one) === noted);
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
/** Undefined where nobody is told. */
function eventOf(one: RecordedNews): string | undefined {
  const isOver = one.state === "closed" || one.state === "merged";
  if (isOver && saidByEnd.has(one.action)) return undefined;
  if (one.action === "approval_ended") return approvalEnds[one.ended ?? ""];
  return events[nameOf(one)];
}

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
  const { askedUserIds = [] } = news;
  const isAsked = (id: string) => askedUserIds.includes(id) || !before.reviewers.includes(id);
  return {
    names: added,
    assignees: assigned.filter((id) => !before.assignees.includes(id)),
    reviewers: [...new Set([...asked, ...askedUserIds])].filter(isAsked),
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
  const event = eventOf(news);
  if (event === undefined) return undefined;
  const { askedTeamIds = [], askerIds = [] } = news;
  const onlyNamed = event === "edited" || event === "review_requested";
  const isTeam = (name: string) => name.includes("/");
  const mentioned = await findUserIds(
    tx,
    names.filter((name) => !isTeam(name)),
  );
  const mentionedTeams = await findTeamIds(tx, names.filter(isTeam), news.senderId);
  const wanted = { team_mention: mentionedTeams, review_requested: askedTeamIds };
  const { team_mention: teams, review_requested: askedTeams } = await routeTeams(
    tx,
    { ...news, event },
    wanted,
  );
  const named = [mentioned, teams, assignees, reviewers, askedTeams].flat();
  if (onlyNamed && named.length === 0) return undefined;
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
    asked_teams: askedTeams,
    askers: askerIds,
  };
}
