/** Branches and tags as the REST interface shows them. */
import { z } from "zod";
import { Commit, CommitPerson, objectId } from "../commits/resource.ts";
import { timestamp } from "../core/time.ts";

const tipDate = timestamp.describe("When the commit was made: Git does not store another date for a ref.");

export const Branch = z
  .object({
    id: z.string().describe("The full name, `refs/heads/…`."),
    name: z.string(),
    commit: Commit,
    protected: z.boolean().describe("Whether a rule for branches matches it."),
    default: z.boolean(),
    url: z.string(),
    web_url: z.string(),
    created_at: tipDate,
    updated_at: tipDate,
  })
  .meta({ id: "Branch" });
export type Branch = z.infer<typeof Branch>;

export const Tag = z
  .object({
    id: z.string().describe("The full name, `refs/tags/…`."),
    name: z.string(),
    sha: objectId.describe("The tag's own object; for a lightweight tag, the commit."),
    commit: Commit,
    message: z.string().nullable().describe("null for a lightweight tag."),
    protected: z.boolean().describe("Whether a rule for tags matches it."),
    tagger: CommitPerson.nullable().describe("null for a lightweight tag."),
    url: z.string(),
    web_url: z.string(),
    created_at: tipDate,
    updated_at: tipDate,
  })
  .meta({ id: "Tag" });
export type Tag = z.infer<typeof Tag>;

const name = z.string().min(1).max(1000);
const ref = z
  .string()
  .min(1)
  .max(1100)
  .optional()
  .describe("Where it begins: branch, tag or full commit id; default: the default branch.");

export const BranchCreate = z
  .strictObject({ name, ref })
  .meta({ id: "BranchCreate", examples: [{ name: "feature/tables", ref: "main" }] });
export type BranchCreate = z.output<typeof BranchCreate>;

export const TagCreate = z
  .strictObject({
    name,
    ref,
    message: z
      .string()
      .max(65_536)
      .regex(/\S/)
      .optional()
      .describe("Makes an annotated tag, which names the caller and the time."),
  })
  .meta({ id: "TagCreate", examples: [{ name: "v1.1", ref: "main", message: "Second release" }] });
export type TagCreate = z.output<typeof TagCreate>;
