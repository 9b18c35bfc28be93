/** Discussions on the boards of teams, and replies to them. */
import { z } from "zod";
import { idOf } from "../core/ids.ts";
import { timestamp } from "../core/time.ts";
import { Reactions } from "../reactions/resource.ts";
import { Person } from "../users/person.ts";
import { ItemTitle, LabelNames, MarkdownBody, PreviousText } from "../work-items/resource.ts";

export const maxPinnedDiscussions = 6;
/** In one team. */
export const maxDiscussions = 10_000;
/** In one discussion. */
export const maxReplies = 2_500;

export const Discussion = z
  .object({
    id: idOf("disc"),
    number: z.number().int().describe("Counts within the team."),
    team: z.string().describe("`<org>/<parent>/<child>`."),
    title: z.string(),
    body: z.string().describe("Markdown."),
    author: Person.nullable().describe("Null: the account was deleted."),
    private: z.boolean().describe("Only the team and the owners of its organization see it."),
    pinned: z.boolean().describe("Shown above the others."),
    locked: z.boolean().describe("Only those who manage the team may reply."),
    replies_count: z.number().int(),
    edited_at: timestamp.nullable().describe("When the title or the text was last changed."),
    issue: z
      .object({
        repository: z.string().describe("`OWNER/NAME`."),
        number: z.number().int(),
        web_url: z.string(),
      })
      .nullable()
      .describe("The issue that it has become, for those who see that one."),
    reactions: Reactions,
    viewer_may: z
      .object({
        reply: z.boolean(),
        edit: z.boolean().describe("Change title and text."),
        moderate: z.boolean().describe("Pin and lock."),
        delete: z.boolean(),
      })
      .describe("What the caller may do with it."),
    url: z.string(),
    web_url: z.string(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "Discussion" });
export type Discussion = z.infer<typeof Discussion>;

export const DiscussionCreate = z
  .strictObject({
    title: ItemTitle,
    body: MarkdownBody.default(""),
    private: z
      .boolean()
      .default(false)
      .describe("Only the team and the owners of its organization see it. This stays as it is."),
  })
  .meta({
    id: "DiscussionCreate",
    examples: [{ title: "Who is on call in March?", body: "Two weeks are still free." }],
  });
export type DiscussionCreate = z.infer<typeof DiscussionCreate>;

export const DiscussionUpdate = z
  .strictObject({ title: ItemTitle.optional(), body: MarkdownBody.optional(), previous_body: PreviousText })
  .meta({ id: "DiscussionUpdate", examples: [{ title: "Who is on call in April?" }] });
export type DiscussionUpdate = z.infer<typeof DiscussionUpdate>;

export const DiscussionIssueCreate = z
  .strictObject({
    repository: z
      .string()
      .max(201)
      .regex(/^[^\s/]+\/[^\s/]+$/, "Give `OWNER/NAME`.")
      .describe("`OWNER/NAME`, where the caller may open issues."),
    labels: LabelNames.optional().describe("Takes Triage there."),
    lock: z.boolean().default(false).describe("Also lock the discussion; for those who manage the team."),
  })
  .meta({ id: "DiscussionIssueCreate", examples: [{ repository: "analytical/engine" }] });
export type DiscussionIssueCreate = z.infer<typeof DiscussionIssueCreate>;

export const DiscussionReply = z
  .object({
    id: idOf("rply"),
    body: z.string().describe("Markdown."),
    author: Person.nullable().describe("Null: the account was deleted."),
    reply_to: idOf("rply")
      .nullable()
      .describe("The reply below which it stands; null: it stands for itself."),
    edited_at: timestamp.nullable(),
    reactions: Reactions,
    viewer_may: z.object({ edit: z.boolean(), delete: z.boolean() }),
    url: z.string(),
    web_url: z.string(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "DiscussionReply" });
export type DiscussionReply = z.infer<typeof DiscussionReply>;

const ReplyBody = MarkdownBody.refine((text) => text.trim() !== "", { error: "A reply cannot be empty." });

export const DiscussionReplyCreate = z
  .strictObject({
    body: ReplyBody,
    reply_to: idOf("rply")
      .nullable()
      .default(null)
      .describe("A reply to answer. Answers stand below the reply that began; there is one level."),
  })
  .meta({ id: "DiscussionReplyCreate", examples: [{ body: "I take the first week." }] });
export type DiscussionReplyCreate = z.infer<typeof DiscussionReplyCreate>;

export const DiscussionReplyUpdate = z
  .strictObject({ body: ReplyBody, previous_body: PreviousText })
  .meta({ id: "DiscussionReplyUpdate", examples: [{ body: "I take the second week." }] });
export type DiscussionReplyUpdate = z.infer<typeof DiscussionReplyUpdate>;
