/** Texts below issues and merge requests. */
import { z } from "zod";
import { objectId } from "../commits/resource.ts";
import { idOf } from "../core/ids.ts";
import { timestamp } from "../core/time.ts";
import { Reactions } from "../reactions/resource.ts";
import { Person } from "../users/person.ts";
import { ImportedAuthor, MarkdownBody, PreviousText } from "../work-items/resource.ts";

export const threadSides = ["old", "new"] as const;
export const ThreadSide = z.enum(threadSides);
export type ThreadSide = z.infer<typeof ThreadSide>;

/** On one issue or merge request. */
export const maxComments = 2_500;

export const Comment = z
  .object({
    id: idOf("cmt"),
    body: z.string().describe("Markdown."),
    author: Person.nullable().describe("Null: the account was deleted, or it was imported."),
    imported_author: ImportedAuthor,
    edited_at: timestamp.nullable(),
    path: z.string().nullable().describe("Of a comment on changes: the file. Null: it is on the whole."),
    line: z.number().int().nullable().describe("Null: the comment is on the whole file, or on no file."),
    side: ThreadSide.nullable().describe("`new`: lines after the change. `old`: lines before it."),
    commit_sha: objectId.nullable().describe("The commit whose lines were counted."),
    resolved: z.boolean().nullable().describe("Whether its thread is resolved; null: it is in none."),
    thread_id: idOf("thr").nullable(),
    review_id: idOf("rev").nullable().describe("The review that it came with."),
    pending: z.boolean().describe("Of a review that is not submitted: only its author sees it."),
    reactions: Reactions,
    viewer_may: z.object({ edit: z.boolean(), delete: z.boolean(), react: z.boolean() }),
    url: z.string(),
    web_url: z.string(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "Comment" });
export type Comment = z.infer<typeof Comment>;

export const CommentBody = MarkdownBody.refine((text) => text.trim() !== "", {
  error: "A comment cannot be empty.",
});

export const CommentCreate = z
  .strictObject({ body: CommentBody })
  .meta({ id: "CommentCreate", examples: [{ body: "I can reproduce it." }] });
export type CommentCreate = z.infer<typeof CommentCreate>;

export const CommentUpdate = z
  .strictObject({ body: CommentBody, previous_body: PreviousText })
  .meta({ id: "CommentUpdate", examples: [{ body: "I can reproduce it, on Debian too." }] });
export type CommentUpdate = z.infer<typeof CommentUpdate>;
