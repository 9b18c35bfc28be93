/** What somebody is told of, and the entries of their inbox (`docs/notifications.md`). */
import { z } from "zod";
import { idOf } from "../core/ids.ts";
import { givenTime, timestamp } from "../core/time.ts";
import { Person } from "../users/person.ts";

/** The strongest first: somebody to whom several apply is told once, with the first of them. */
export const notificationReasons = [
  "mention",
  "team_mention",
  "review_requested",
  "approval_requested",
  "assign",
  "author",
  "auto_merge",
  "comment",
  "subscribed",
  "watching",
] as const;
export const NotificationReason = z
  .enum(notificationReasons)
  .describe(
    "Why: `mention` (named in a text), `team_mention` (a team of theirs was), `review_requested` (of them), `approval_requested` (a run of it waits for theirs), `assign` (assigned to it), `author`, `auto_merge` (asked for it to be merged by itself, or queued it), `comment` (commented on it), `subscribed` (to it, or named in it before), `watching` (the repository).",
  )
  .meta({ id: "NotificationReason" });
export type NotificationReason = z.infer<typeof NotificationReason>;

export const NotificationSubjectType = z.enum(["issue", "merge_request"]);

export const Notification = z
  .object({
    id: idOf("ntf"),
    reason: NotificationReason,
    subject: z.object({
      type: NotificationSubjectType,
      number: z.number().int(),
      title: z.string(),
      state: z.enum(["open", "closed", "merged"]),
      url: z.string(),
      web_url: z.string(),
    }),
    repository: z.object({
      id: idOf("repo"),
      full_name: z.string(),
      url: z.string(),
      web_url: z.string(),
    }),
    event: z
      .string()
      .describe(
        "What happened last: `opened`, `edited`, `closed`, `reopened`, `merged`, `dequeued`, `auto_merge_disabled`, `review_requested`, `approval_requested`, `approval_rejected`, `approval_expired`, `reviewed` or `commented`.",
      ),
    because: z
      .string()
      .nullable()
      .describe("Of `dequeued` and `auto_merge_disabled`: why, in words; null for other events."),
    actor: Person.nullable().describe("Who caused that; null for the system and for deleted accounts."),
    unread: z.boolean(),
    new_events: z.number().int().describe("What has happened since it was last read."),
    saved: z.boolean(),
    done: z.boolean().describe("Put away. It comes back when something happens."),
    read_at: timestamp.nullable(),
    url: z.string(),
    web_url: z.string().describe("Of the issue or merge request."),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "Notification" });
export type Notification = z.infer<typeof Notification>;

export const NotificationUpdate = z
  .strictObject({
    unread: z.boolean().optional(),
    saved: z.boolean().optional().describe("Saved ones are kept."),
    done: z.boolean().optional().describe("What is done is read."),
  })
  .meta({ id: "NotificationUpdate", examples: [{ done: true }] });
export type NotificationUpdate = z.infer<typeof NotificationUpdate>;

const name = "[A-Za-z0-9_][A-Za-z0-9._-]{0,99}";
export const fullName = z
  .string()
  .regex(new RegExp(`^${name}/${name}$`), "The full name of a repository, as owner/name.");

export const NotificationsRead = z
  .strictObject({
    read: z.literal(true),
    last_read_at: givenTime.optional().describe("What happened later stays unread. Default: now."),
    repository: fullName.optional().describe("`owner/name`: only those of this repository."),
  })
  .meta({ id: "NotificationsRead", examples: [{ read: true, last_read_at: "2027-03-31T09:00:00Z" }] });
export type NotificationsRead = z.infer<typeof NotificationsRead>;

export const NotificationCount = z
  .object({ unread: z.number().int().describe("Entries of the inbox that are unread.") })
  .meta({ id: "NotificationCount" });
export type NotificationCount = z.infer<typeof NotificationCount>;
