/** What happened, and why somebody is told, as sentences of a mail. */
import type { NotificationReason } from "@forgeline/schemas/notifications/resource.ts";
import type { AutoMergeEnd } from "@forgeline/schemas/merge-requests/auto-merge.ts";
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
  if (it.event === "dequeued") return because("This merge request left the merge queue", it.ended_because);
  if (it.event === "auto_merge_disabled")
    return because(
      "This merge request is not merged by itself any more",
      autoMergeEnds[it.ended_because ?? ""],
    );
  return `${actorOf(it)} ${deedOf(it)}`;
}

function because(what: string, why: string | null | undefined): string {
  const said = plainLine(why ?? "").replace(/\.$/, "");
  return said === "" ? what : `${what}: ${said}`;
}

const autoMergeEnds: Readonly<Record<string, string>> = {
  cancelled: "it was cancelled",
  closed: "it was closed",
  target_changed: "it has another target branch",
  head_moved: "it has another head than the one that was meant",
  foreign_push: "somebody without Write has pushed to it",
  conflict: "its branches conflict",
  access: "whoever asked for it may not merge it any more",
  account: "the account of whoever asked for it is gone or suspended",
  archived: "the repository is archived",
} satisfies Record<AutoMergeEnd, string>;

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
  assign: "you are assigned",
  author: "you opened it",
  comment: "you commented",
  subscribed: "you subscribed to it, or were mentioned before",
  watching: "you watch the repository",
};
