/** What happened, and why somebody is told, as sentences of a mail. */
import type { NotificationReason } from "@forgeline/schemas/notifications/resource.ts";
import { whyEnded } from "../notifications/why-ended.ts";
import { plainLine, plainName } from "./plain-line.ts";

export interface Happening {
  kind: "issue" | "merge_request";
  event: string;
  reason: NotificationReason;
  actor: string | null;
  actor_name: string | null;
  path: string | null;
  line: number | null;
  review_state: string | null;
  number: number;
  /** It happened in the name of whoever is told. */
  is_own: boolean;
  /** Why it left the merge queue, as a sentence, or stopped waiting for its merge (`AutoMergeEnd`). */
  ended_because: string | null;
}

export function actorOf({ actor, actor_name: name }: Pick<Happening, "actor" | "actor_name">): string {
  const shown = plainName(name ?? "");
  return shown === "" ? (actor ?? "Somebody") : shown;
}

const noun = { issue: "issue", merge_request: "merge request" } as const;

/** Without the full stop at its end. */
export function happeningOf(it: Happening): string {
  // Often nobody did it: the queue, or what somebody did to something else.
  const said = withoutActor(it);
  return said ?? `${actorOf(it)} ${deedOf(it)}`;
}

function withoutActor(it: Happening): string | undefined {
  const why = whyEnded({ ...it, actor: it.actor === null ? null : actorOf(it) });
  switch (it.event) {
    case "dequeued":
      return because("This merge request left the merge queue", why);
    case "auto_merge_disabled":
      return because("This merge request is not merged by itself any more", why);
    case "approval_requested":
      return `Waiting for your approval: run of !${it.number} by ${actorOf(it)}`;
    case "approval_expired":
      return "Nobody approved the run of this merge request in time, so it was cancelled: ask somebody with Write, and push again";
    case "review_requested":
      return it.actor === null ? "Your review of this merge request is requested" : undefined;
    case "merged":
      return it.is_own ? "This merge request was merged, as you had asked" : undefined;
    default:
      return undefined;
  }
}

function because(what: string, why: string | null): string {
  const said = plainLine(why ?? "");
  return said === "" ? what : `${what}: ${said}`;
}

function deedOf(it: Happening): string {
  const what = `this ${noun[it.kind]}`;
  switch (it.event) {
    case "commented":
      return it.path === null ? `commented on ${what}` : `commented on ${plainPlace(it)}`;
    case "reviewed":
      return reviewDeeds[it.review_state ?? ""] ?? `reviewed ${what}`;
    case "review_requested":
      return "asked for your review";
    case "approval_rejected":
      return `refused to run the pipelines of ${what}`;
    case "edited":
      return newlyNamed[it.reason] ?? `edited ${what}`;
    default:
      return `${it.event} ${what}`;
  }
}

const reviewDeeds: Readonly<Record<string, string>> = {
  approved: "approved this merge request",
  changes_requested: "requested changes",
};

const newlyNamed: Partial<Record<NotificationReason, string>> = {
  mention: "mentioned you",
  team_mention: "mentioned a team of yours",
  assign: "assigned you",
  review_requested: "asked for your review",
};

function plainPlace({ path, line }: Happening): string {
  const file = plainName(path ?? "");
  return line === null ? file : `${file}, line ${line}`;
}

/** Of these, the text is new; of others it is what somebody else once wrote, such as the description of what is closed. */
const withNewText: ReadonlySet<string> = new Set(["opened", "commented", "reviewed"]);

/** Texts are repeated only where they are the news. */
export function hasText({ event, reason }: Pick<Happening, "event" | "reason">): boolean {
  const nowNamed = reason === "mention" || reason === "team_mention";
  return withNewText.has(event) || (event === "edited" && nowNamed);
}

/** After "You get this mail because". A team is never named: who sees it can change before the mail is read. */
export const reasonWords: Readonly<Record<NotificationReason, string>> = {
  mention: "you were mentioned",
  team_mention: "a team of yours was mentioned",
  review_requested: "your review was requested, or you reviewed it",
  approval_requested: "a run of it waits for your approval",
  assign: "you are assigned",
  author: "you opened it",
  auto_merge: "you asked for it to be merged",
  comment: "you commented",
  subscribed: "you subscribed to it, or were mentioned before",
  watching: "you watch the repository",
};
