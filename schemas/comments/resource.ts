/** Texts below issues and merge requests. */
import { z } from "zod";
import { idOf } from "../core/ids.ts";
import { timestamp } from "../core/time.ts";
import { Person } from "../users/person.ts";
import { MarkdownBody } from "../work-items/resource.ts";

/** On one issue or merge request. */
export const maxComments = 2_500;

export const Comment = z
  .object({
    id: idOf("cmt"),
    body: z.string().describe("Markdown."),
    author: Person.nullable().describe("Null: the account was deleted."),
    edited_at: timestamp.nullable(),
    viewer_may: z.object({ edit: z.boolean(), delete: z.boolean() }),
    url: z.string(),
    web_url: z.string(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "Comment" });
export type Comment = z.infer<typeof Comment>;

const CommentBody = MarkdownBody.refine((text) => text.trim() !== "", {
  error: "A comment cannot be empty.",
});

export const CommentCreate = z
  .strictObject({ body: CommentBody })
  .meta({ id: "CommentCreate", examples: [{ body: "I can reproduce it." }] });
export type CommentCreate = z.infer<typeof CommentCreate>;

export const CommentUpdate = z
  .strictObject({ body: CommentBody })
  .meta({ id: "CommentUpdate", examples: [{ body: "I can reproduce it, on Debian too." }] });
export type CommentUpdate = z.infer<typeof CommentUpdate>;
