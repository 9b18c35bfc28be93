/** Whether somebody is told of what happened to an issue or a merge request, and why (`docs/notifications.md`). Pure. */
import type { NotificationReason } from "@forgeline/schemas/notifications/resource.ts";

export interface PersonFacts {
  /** Now, not when they subscribed. */
  may_read: boolean;
  /** What the news itself says: it names them or a team of theirs, assigns them, or asks them for a review. */
  mentioned: boolean;
  team_mentioned: boolean;
  newly_assigned: boolean;
  /** For a review, by name. */
  newly_asked: boolean;
  /** For a review, as a code owner or by a team of theirs, and they have not reviewed the newest commit. */
  team_asked: boolean;
  /** They had asked for the merge that it ends. */
  is_asker: boolean;
  /** What was so before. */
  is_author: boolean;
  is_assignee: boolean;
  is_reviewer: boolean;
  has_commented: boolean;
  /** What they chose: null, nothing. */
  thread: "subscribed" | "muted" | null;
  level: "watching" | "custom" | "muted" | null;
  /** With the level `custom`. */
  kinds: readonly string[];
}

export interface News {
  kind: "issue" | "merge_request";
  /** An edit is told to those whom it newly names alone. */
  only_named: boolean;
  event: string;
}

/** Whoever proposed it, or asked for its merge, counts on them; to others they are noise. */
const forAuthors: ReadonlySet<string> = new Set([
  "auto_merge_disabled",
  "approval_rejected",
  "approval_expired",
]);

const kindNames = { issue: "issues", merge_request: "merge_requests" } as const;

/** The strongest reason, or null: they are not told. Whoever caused it is never told and does not come here. */
export function reasonToTell(person: PersonFacts, news: News): NotificationReason | null {
  if (!person.may_read || person.level === "muted") return null;
  const isThreadMuted = person.thread === "muted";
  if (person.mentioned) return "mention";
  if (person.team_mentioned && !isThreadMuted) return "team_mention";
  if (person.newly_asked || (person.team_asked && !isThreadMuted)) return "review_requested";
  if (person.newly_assigned) return "assign";
  if (isThreadMuted || news.only_named) return null;
  if (forAuthors.has(news.event)) return ownReasonOf(person);
  return involvementOf(person, news);
}

function ownReasonOf({ is_author: isAuthor, is_asker: isAsker }: PersonFacts): NotificationReason | null {
  if (isAuthor) return "author";
  return isAsker ? "auto_merge" : null;
}

function involvementOf(person: PersonFacts, news: News): NotificationReason | null {
  if (person.is_reviewer) return "review_requested";
  if (person.is_assignee) return "assign";
  const own = ownReasonOf(person);
  if (own) return own;
  if (person.has_commented) return "comment";
  if (person.thread === "subscribed") return "subscribed";
  return watches(person, news.kind) ? "watching" : null;
}

/** Whether they chose to be told of everything of this kind. */
export function watches({ level, kinds }: Pick<PersonFacts, "level" | "kinds">, kind: News["kind"]): boolean {
  return level === "watching" || (level === "custom" && kinds.includes(kindNames[kind]));
}
