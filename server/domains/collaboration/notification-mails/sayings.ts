/** What happened, and why somebody is told, as sentences of a mail. */
import type { NotificationReason } from "@forgeline/schemas/notifications/resource.ts";
import { plainName } from "./plain-line.ts";

export interface Happening {
  kind: "issue" | "merge_request";
  event: string;
  reason: NotificationReason;
  actor: string | null;
  actor_name: string | null;
  path: string | null;
  line: number | null;
  review_state: string | null;
}

export function actorOf({ actor, actor_name: name }: Pick<Happening, "actor" | "actor_name">): string {
  const shown = plainName(name ?? "");
  return shown === "" ? (actor ?? "Somebody") : shown;
}

const noun = { issue: "issue", merge_request: "merge request" } as const;

/** Without the full stop at its end. */
export function happeningOf(it: Happening): string {
  return `${actorOf(it)} ${deedOf(it)}`;
}

function deedOf(it: Happening): string {
  const what = `this ${noun[it.kind]}`;
  switch (it.event) {
    case "commented":
      return it.path === null ? `commented on ${what}` : `commented on ${plainPlace(it)}`;
    case "reviewed":
      return reviewDeeds[it.review_state ?? ""] ?? `reviewed ${what}`;
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

/** Texts are repeated only where they are the news. */
export function hasText({ event, reason }: Pick<Happening, "event" | "reason">): boolean {
  return event !== "edited" || reason === "mention" || reason === "team_mention";
}

/** After "You get this mail because". A team is never named: who sees it can change before the mail is read. */
export const reasonWords: Readonly<Record<NotificationReason, string>> = {
  mention: "you were mentioned",
  team_mention: "a team of yours was mentioned",
  review_requested: "your review was requested, or you reviewed it",
  assign: "you are assigned",
  author: "you opened it",
  comment: "you commented",
  subscribed: "you subscribed to it, or were mentioned before",
  watching: "you watch the repository",
};
