/** Files and directories of a repository as the REST interface shows them. */
import { z } from "zod";
import { fileContent } from "./file-content.ts";
import { Commit, GitIdentity, objectId } from "../commits/resource.ts";

export const ContentsEntry = z
  .object({
    type: z.enum(["file", "directory", "symlink", "submodule"]),
    path: z.string(),
    name: z.string(),
    size: z.number().int().describe("In bytes; 0 for directories and submodules."),
    sha: objectId.describe("The object's id; for a submodule the commit that it names."),
    executable: z.boolean(),
    url: z.string(),
    web_url: z.string(),
    download_url: z.string().nullable().describe("URL of the raw bytes; null unless it is a file."),
  })
  .meta({ id: "ContentsEntry" });
export type ContentsEntry = z.infer<typeof ContentsEntry>;

export const FileContents = z
  .object({
    ...ContentsEntry.shape,
    encoding: z.literal("base64").optional().describe("Of `content`; files only."),
    content: z.string().optional().describe("Absent above 10 MiB and for anything that is not a file."),
    lfs: z
      .object({ oid: z.string(), size: z.number().int() })
      .nullable()
      .optional()
      .describe("What a Git LFS pointer stands for; files only."),
    target: z.string().optional().describe("Text of a symbolic link, which is never followed."),
  })
  .meta({ id: "FileContents" });
export type FileContents = z.infer<typeof FileContents>;

const message = z.string().max(65_536).regex(/\S/).describe("Of the commit.");
const branch = z.string().min(1).max(1000).optional().describe("Default: the default branch.");
const author = GitIdentity.optional().describe("Default: the caller, who is the committer in any case.");

export const ContentsPut = z
  .strictObject({
    message,
    content: fileContent.describe("The new bytes, as base64; at most 10 MiB of them."),
    sha: objectId.optional().describe("The object that is replaced; needed where a file is there already."),
    allow_secrets: z
      .boolean()
      .default(false)
      .describe("Accepts content that looks like a token of this instance; recorded in the audit log."),
    branch,
    author,
  })
  .meta({
    id: "ContentsPut",
    examples: [{ message: "Add the tables", content: "dGFibGVzCg==", branch: "main" }],
  });
export type ContentsPut = z.output<typeof ContentsPut>;

export const ContentsDelete = z
  .strictObject({ message, sha: objectId.describe("The object to delete."), branch, author })
  .meta({
    id: "ContentsDelete",
    examples: [{ message: "Remove the tables", sha: "8a6f1c0d4e2b97f35a1c6e0b2d4f89a7c3e5b610" }],
  });
export type ContentsDelete = z.output<typeof ContentsDelete>;

export const WrittenContents = z
  .object({ content: ContentsEntry, commit: Commit })
  .meta({ id: "WrittenContents" });
export type WrittenContents = z.infer<typeof WrittenContents>;
