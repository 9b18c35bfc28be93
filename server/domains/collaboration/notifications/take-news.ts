/** What an event newly says: whom its text names for the first time, and whom it assigns. */
import { mentionsOf } from "@forgeline/markdown/references-of.ts";
import type { Transaction } from "../../../platform/db/database.ts";
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
  "comment created": "commented",
  "comment edited": "edited",
};

/** Of one text; names that were written and removed again count. */
const maxKeptNames = 1_000;

/** Writes down whom there is to tell, in the transaction that moves the follower. The events are in order. */
export async function takeNews(tx: Transaction, all: readonly RecordedNews[]): Promise<void> {
  const news = all.filter(({ kind, action }) => `${kind} ${action}` in events);
  if (news.length === 0) return;
  const known = await readTold(
    tx,
    news.map(({ textId }) => textId),
  );
  const told = new Map(known.map((text) => [text.id, text]));
  const changed = new Map<string, ToldText & { itemId: string }>();
  const tellings: NewTelling[] = [];
  for (const one of news) {
    const before = told.get(one.textId) ?? { id: one.textId, mentions: [], assignees: [] };
    const read = compare(one, before);
    told.set(one.textId, read.after);
    if (read.after.mentions.length + read.after.assignees.length + before.assignees.length > 0)
      changed.set(one.textId, { ...read.after, itemId: one.itemId });
    const telling = await resolve(tx, one, read);
    if (telling) tellings.push(telling);
  }
  await writeTold(tx, [...changed.values()]);
  await insertTellings(tx, tellings);
}

interface Compared {
  /** Names of users, and of teams with a slash, that were not there before. */
  names: string[];
  assignees: string[];
  after: ToldText;
}

/** Exported for its test. */
export function compare(news: RecordedNews, before: ToldText): Compared {
  const { users, teams } = mentionsOf(news.body);
  const names = [...users, ...teams].map((name) => name.toLowerCase());
  const added = names.filter((name) => !before.mentions.includes(name));
  const assigned = news.assigneeIds ?? before.assignees;
  return {
    names: added,
    assignees: assigned.filter((id) => !before.assignees.includes(id)),
    after: {
      id: before.id,
      mentions: [...before.mentions, ...added].slice(-maxKeptNames),
      assignees: assigned,
    },
  };
}

/** Undefined where it tells nobody anything. */
async function resolve(
  tx: Transaction,
  news: RecordedNews,
  { names, assignees }: Compared,
): Promise<NewTelling | undefined> {
  const event = events[`${news.kind} ${news.action}`] ?? news.action;
  const onlyNamed = event === "edited";
  const isTeam = (name: string) => name.includes("/");
  const mentioned = await findUserIds(
    tx,
    names.filter((name) => !isTeam(name)),
  );
  const teams = await findTeamIds(tx, names.filter(isTeam), news.senderId);
  if (onlyNamed && mentioned.length + teams.length + assignees.length === 0) return undefined;
  return {
    position: news.position,
    item_id: news.itemId,
    actor_id: news.senderId,
    event,
    only_named: onlyNamed,
    mentioned,
    teams,
    assignees,
  };
}
