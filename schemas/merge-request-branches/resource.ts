/** What operations on a merge request make of branches: its source branch brought up to date, and new ones with what it merged. */
import { z } from "zod";
import { objectId } from "../commits/resource.ts";
import { MergeRequest } from "../merge-requests/resource.ts";

export const updateMethods = ["merge", "rebase"] as const;

const seenHead = objectId
  .optional()
  .describe("The tip of the source branch that was seen; 409 where the branch has moved since.");

export const SourceBranchUpdate = z
  .strictObject({
    method: z
      .enum(updateMethods)
      .prefault("merge")
      .describe(
        "`merge`: a commit with both branches as parents. `rebase`: each commit again, on top of the target branch, without its signature; that replaces what is in the source branch, so rules for it have to allow force pushes.",
      ),
    sha: seenHead,
  })
  .meta({ id: "SourceBranchUpdate", examples: [{ method: "merge" }] });
export type SourceBranchUpdate = z.output<typeof SourceBranchUpdate>;

export const SourceBranchRebase = z
  .strictObject({ sha: seenHead })
  .meta({ id: "SourceBranchRebase", examples: [{}] });

export const SourceBranch = z
  .object({
    changed: z.boolean().describe("False: there was nothing to do."),
    sha: objectId.describe("Where the source branch is now."),
    merge_request: MergeRequest.describe(
      "As it is now. Commits of a fork take a moment until they are its `head_sha`.",
    ),
  })
  .meta({ id: "SourceBranch" });
export type SourceBranch = z.infer<typeof SourceBranch>;

const branch = z
  .string()
  .min(1)
  .max(1000)
  .optional()
  .describe("Name of the new branch; 409 where there is one. Without it the server chooses a free name.");
const isProposed = z
  .boolean()
  .prefault(true)
  .describe("Also open a merge request from the new branch into the one that it begins at.");

export const MergeRequestRevert = z
  .strictObject({ branch, create_merge_request: isProposed })
  .meta({ id: "MergeRequestRevert", examples: [{ branch: "revert-retries" }] });
export type MergeRequestRevert = z.output<typeof MergeRequestRevert>;

export const MergeRequestCherryPick = z
  .strictObject({
    target: z.string().min(1).max(1000).describe("The branch that shall get the changes too."),
    branch,
    create_merge_request: isProposed,
  })
  .meta({ id: "MergeRequestCherryPick", examples: [{ target: "release/1.2" }] });
export type MergeRequestCherryPick = z.output<typeof MergeRequestCherryPick>;

export const BranchMade = z
  .object({
    branch: z.string(),
    branch_url: z.string(),
    sha: objectId.describe("Its commit."),
    merge_request: MergeRequest.nullable().describe("Null: none was wanted."),
  })
  .meta({ id: "BranchMade" });
export type BranchMade = z.infer<typeof BranchMade>;
