/** Commits as the REST interface shows them, and what lies between two of them. */
import { z } from "zod";
import { displayText } from "../core/display-text.ts";
import { timestamp } from "../core/time.ts";
import { CommitVerification } from "./verification.ts";

export const objectId = z.string().regex(/^[0-9a-f]{40}$/);

export const CommitPerson = z
  .object({
    name: z.string(),
    email: z.string(),
    date: timestamp,
    username: z.string().nullable().describe("The user of this instance who has that e-mail address."),
  })
  .meta({ id: "CommitPerson" });

/**
 * Git takes some punctuation off both ends of a name and refuses one of which nothing is left; it separates the parts of a
 * line by `<`, `>` and line breaks.
 */
export const GitIdentity = z
  .strictObject({
    name: displayText(200).regex(
      /^[^<>]*[^<>\s.,:;"'\\][^<>]*$/,
      "must hold more than punctuation, and no < or >",
    ),
    email: z
      .string()
      .max(254)
      // oxlint-disable-next-line no-control-regex -- \p{Cc} in the OpenAPI document is unknown to other languages
      .regex(/^[^<>\s\u0000-\u001f\u007f-\u009f]+@[^<>\s\u0000-\u001f\u007f-\u009f]+$/),
  })
  .meta({ id: "GitIdentity" });

export const Commit = z
  .object({
    id: objectId.describe("As `sha`."),
    sha: objectId,
    message: z.string(),
    author: CommitPerson.describe("Text in the commit, freely chosen by its author."),
    committer: CommitPerson,
    parents: z.array(z.object({ sha: objectId, url: z.string() })),
    verified: z.boolean().describe("As in `verification`."),
    verification: CommitVerification.describe(
      "What became of the signature, by the keys and addresses that people have now.",
    ),
    url: z.string(),
    web_url: z.string(),
    created_at: timestamp.describe("The committer's date."),
    updated_at: timestamp.describe("As `created_at`: commits do not change."),
  })
  .meta({ id: "Commit" });
export type Commit = z.infer<typeof Commit>;

export const ChangedFile = z
  .object({
    path: z.string(),
    previous_path: z.string().nullable().describe("Where a renamed or copied file was before."),
    status: z.enum(["added", "modified", "deleted", "renamed", "copied", "type_changed"]),
    sha: objectId.nullable().describe("The object after the change; null for a deleted file."),
    additions: z
      .number()
      .int()
      .nullable()
      .describe("Lines; null for a binary file, and where comparing takes too long."),
    deletions: z
      .number()
      .int()
      .nullable()
      .describe("Lines; null for a binary file, and where comparing takes too long."),
    binary: z.boolean(),
    patch: z
      .string()
      .nullable()
      .describe(
        "Unified diff; null for a binary file, where all patches together grow too large, and where comparing takes too long.",
      ),
  })
  .meta({ id: "ChangedFile" });
export type ChangedFile = z.infer<typeof ChangedFile>;

const bytes = z.number().int().min(0).nullable();
const mode = z
  .string()
  .regex(/^[0-7]{6}$/)
  .nullable();
const rawUrl = z.string().nullable();

export const FileDiff = z
  .object({
    ...ChangedFile.shape,
    previous_sha: objectId.nullable().describe("The object before the change; null for an added file."),
    mode: mode.describe("As Git says it, such as `100755`; null for a deleted file."),
    previous_mode: mode.describe("null for an added file."),
    kind: z
      .enum(["file", "symlink", "submodule"])
      .describe(
        "After the change; of a deleted file, before it. A submodule's `sha` is a commit of another repository.",
      ),
    size: bytes.describe("Bytes after the change; null for a deleted file and for a submodule."),
    previous_size: bytes.describe("Bytes before the change; null for an added file and for a submodule."),
    additions: z
      .number()
      .int()
      .nullable()
      .describe("Lines; null for a binary file and one too large to compare."),
    deletions: z
      .number()
      .int()
      .nullable()
      .describe("Lines; null for a binary file and one too large to compare."),
    binary: z.boolean().describe("False also for a file too large to compare, of which it is not known."),
    lfs: z.boolean().describe("Whether either side is a Git LFS pointer, which the patch then shows."),
    generated: z
      .boolean()
      .describe(
        "Made by a tool, as `linguist-generated` in `.gitattributes` says, or well-known names and the file's first lines.",
      ),
    patch: z
      .string()
      .nullable()
      .describe(
        "Unified diff from its first `@@`; empty where no line differs, as for a mode alone. null: see `patch_omitted`.",
      ),
    patch_omitted: z
      .enum(["binary", "too_large"])
      .nullable()
      .describe(
        "Why there is no patch. `too_large`, also where comparing takes too long: try `patch_url`, and if that is the answer, take the raw files.",
      ),
    patch_url: z.string().describe("This file's change alone, with a patch of up to 10 MiB (`getPatch`)."),
    raw_url: rawUrl.describe("The bytes after the change; null for a deleted file and for a submodule."),
    previous_raw_url: rawUrl.describe(
      "The bytes before the change; null for an added file, for a submodule, and where the commit before cannot be read by itself.",
    ),
  })
  .meta({ id: "FileDiff" });
export type FileDiff = z.infer<typeof FileDiff>;

export const CommitWithFiles = z
  .object({
    ...Commit.shape,
    files: z.array(ChangedFile).describe("Against the first parent; at most 300."),
    files_truncated: z.boolean().describe("Whether there are more files than shown."),
  })
  .meta({ id: "CommitWithFiles" });
export type CommitWithFiles = z.infer<typeof CommitWithFiles>;

export const Comparison = z
  .object({
    status: z.enum(["identical", "ahead", "behind", "diverged"]).describe("Of the head against the base."),
    ahead_by: z.number().int().describe("Commits of the head that the base does not have."),
    behind_by: z.number().int().describe("Commits of the base that the head does not have."),
    base_commit: Commit,
    head_commit: Commit,
    merge_base_commit: Commit.nullable().describe("null where the two share no history."),
    commits: z.array(Commit).describe("Commits that only the head has, newest first; at most 250."),
    files: z
      .array(ChangedFile)
      .describe(
        "From the merge base to the head; at most 300. None where two repositories share no history.",
      ),
    files_truncated: z.boolean().describe("Whether there are more files than shown."),
    conflicts: z
      .array(z.string())
      .nullable()
      .describe(
        "Paths that both changed, so that they cannot be merged; at most 100. null where that was not asked for, took too long, or the two share no history.",
      ),
    url: z.string(),
    web_url: z.string(),
  })
  .meta({ id: "Comparison" });
export type Comparison = z.infer<typeof Comparison>;

export const Blame = z
  .object({
    path: z.string(),
    sha: objectId.describe("The file's object."),
    ranges: z
      .array(
        z.object({
          start_line: z.number().int().describe("From 1."),
          end_line: z.number().int().describe("The last line of the range."),
          commit: objectId.describe("The commit that brought these lines; see `commits`."),
          path: z.string().describe("What the file was called in that commit."),
        }),
      )
      .describe("In order, without gaps."),
    commits: z.array(Commit).describe("Each commit that the ranges name, once."),
  })
  .meta({ id: "Blame" });
export type Blame = z.infer<typeof Blame>;
