/** What can happen that others must know: kinds of events, and the actions of each (`decisions.md`, "Webhooks"). */
import { z } from "zod";

/** Kinds whose subject does not exist here yet have no actions: nothing records them. */
export const eventActions = {
  push: ["created", "updated", "deleted"],
  tag: ["created", "updated", "deleted"],
  merge_request: [
    "opened",
    "edited",
    "closed",
    "reopened",
    "merged",
    "synchronized",
    "queued",
    "dequeued",
    "auto_merge_enabled",
    "auto_merge_disabled",
    "review_requested",
    "approval_requested",
    "approval_ended",
  ],
  merge_request_review: ["submitted", "edited", "dismissed"],
  issue: ["opened", "edited", "closed", "reopened", "transferred", "deleted"],
  comment: ["created", "edited", "deleted"],
  pipeline: ["created", "started", "finished"],
  approval: ["requested", "approved", "rejected", "expired"],
  deployment: ["created", "started", "succeeded", "failed", "cancelled"],
  repository: [
    "created",
    "edited",
    "renamed",
    "visibility_changed",
    "transferred",
    "archived",
    "unarchived",
    "deleted",
    "restored",
  ],
  package: [],
  member: ["added", "changed", "removed"],
  team_notification: ["mentioned", "review_requested"],
  ping: ["requested"],
} as const satisfies Record<string, readonly string[]>;

export type EventKind = keyof typeof eventActions;
export const eventKinds = Object.keys(eventActions) as EventKind[];

/** What a webhook can be told of; a `ping` comes to every webhook that is asked for one. */
export const SubscribableEvent = z
  .enum(eventKinds.filter((kind) => kind !== "ping") as Exclude<EventKind, "ping">[])
  .meta({ id: "WebhookEvent" });
export type SubscribableEvent = z.infer<typeof SubscribableEvent>;

type RepositoryKind =
  | "push"
  | "tag"
  | "merge_request"
  | "merge_request_review"
  | "issue"
  | "comment"
  | "pipeline"
  | "approval"
  | "deployment"
  | "repository"
  | "member"
  | "team_notification";

export type RepositoryEvent = {
  [Kind in RepositoryKind]: {
    kind: Kind;
    action: (typeof eventActions)[Kind][number];
    /** JSON; what `schemas/webhooks/payloads.ts` shows is made from it. */
    subject: object;
  };
}[RepositoryKind];
