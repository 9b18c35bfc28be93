/** Merge requests of a repository (`decisions.md`, "Records" and "Collaboration"). */
import { z } from "zod";
import { objectId } from "../commits/resource.ts";
import { idOf } from "../core/ids.ts";
import { MergeStrategy } from "../core/merge-strategies.ts";
import { timestamp } from "../core/time.ts";
import { QueuePlace } from "../merge-queue/resource.ts";
import { Status } from "../pipelines/status.ts";
import { Reactions } from "../reactions/resource.ts";
import { Person } from "../users/person.ts";
import { AutoMerge } from "./auto-merge.ts";
import {
  ImportedAuthor,
  ItemLabel,
  ItemMilestone,
  ItemTitle,
  LabelNames,
  MarkdownBody,
  NamedItem,
  PreviousText,
  Username,
  Usernames,
  ViewerMay,
} from "../work-items/resource.ts";

export const mergeRequestStates = ["open", "closed", "merged"] as const;
export const MergeRequestState = z.enum(mergeRequestStates);
export type MergeRequestState = z.infer<typeof MergeRequestState>;

export const mergeabilities = ["clean", "conflict", "blocked", "checking"] as const;
export const Mergeability = z.enum(mergeabilities);
export type Mergeability = z.infer<typeof Mergeability>;

/** People and teams that are asked to review one merge request. */
export const maxReviewers = 100;

/** A rebase makes each commit again, one after the other. */
export const maxRebasedCommits = 1_000;

export const MergeRequest = z
  .object({
    id: idOf("mr"),
    number: z.number().int().describe("Issues and merge requests of a repository share their numbers."),
    title: z.string(),
    description: z.string().describe("Markdown."),
    state: MergeRequestState,
    draft: z.boolean().describe("Not ready: it cannot be merged."),
    author: Person.nullable().describe("Null: the account was deleted, or it was imported."),
    imported_author: ImportedAuthor,
    source_branch: z.string(),
    target_branch: z.string(),
    source_repo: z
      .object({ id: idOf("repo"), full_name: z.string(), url: z.string() })
      .nullable()
      .describe(
        "Where the source branch is; null: that repository was deleted. One that is not public has the name that it had when it was proposed.",
      ),
    source_problem: z
      .string()
      .nullable()
      .describe(
        "Why commits that were pushed to the source branch of a fork do not come here; null: they do.",
      ),
    maintainer_can_modify: z
      .boolean()
      .describe(
        "Whether those with Write here may push to the source branch, which is in another repository, while this is open.",
      ),
    head_sha: objectId.describe(
      "Tip of the source branch; of one that is not open any more, as it was then. `refs/merge-requests/NUMBER/head` keeps it.",
    ),
    base_sha: objectId.describe("Tip of the target branch when the branches were last compared."),
    merge_base_sha: objectId.nullable().describe("What both have in common; null: nothing."),
    mergeable: Mergeability.describe(
      "`checking`: the branches are being compared. `conflict`: both changed the same lines, see `conflicts`. `blocked`: see `blocked_by`. `clean` in a list can be `blocked` in the single record, which asks more.",
    ),
    blocked_by: z
      .array(z.string())
      .describe(
        "Why it cannot be merged now, in words: it is a draft, or the rules for its target branch want more. Lists name drafts, missing approvals, requests for changes that block, and rules without a common way to merge. The single record also names approvals of code owners and of somebody other than the last pusher, runs and checks, and unsigned commits where squashing does not help. Webhooks name drafts alone.",
      ),
    conflicts: z.array(z.string()).describe("Paths that both branches changed; at most 100."),
    reviewers: z
      .array(Person)
      .describe(
        "Who was asked for a review, and who submitted one; at most 100. See `listReviewers` for more.",
      ),
    reviewer_teams: z
      .array(z.string())
      .describe("Full names of the teams that were asked; only those that the caller may see."),
    assignees: z.array(Person),
    labels: z.array(ItemLabel),
    milestone: ItemMilestone.nullable(),
    pipeline: z
      .object({
        id: idOf("pipe"),
        number: z.number().int(),
        status: Status,
        web_url: z.string(),
        merged_result: z
          .object({
            sha: objectId.describe("What was tested: it merges `head_sha` into the target branch."),
            target_sha: objectId.nullable().describe("Where the target branch was."),
            is_current: z.boolean().describe("False: the target branch has other commits by now."),
          })
          .nullable()
          .describe("Null: the run tests `head_sha` itself."),
      })
      .nullable()
      .describe("The latest run of `head_sha`; null: there is none, or runs are not for the caller."),
    merge_queue: QueuePlace.nullable().describe("Null: it is not in the merge queue of its target branch."),
    auto_merge: AutoMerge.nullable().describe("Set while it waits to be merged by itself."),
    merged_at: timestamp.nullable(),
    merged_by: Person.nullable(),
    merge_sha: objectId.nullable().describe("The commit that brought it into the target branch."),
    merge_strategy: MergeStrategy.nullable().describe(
      "Null: it is not merged, or was merged with Git and pushed.",
    ),
    closed_at: timestamp.nullable(),
    closed_by: Person.nullable(),
    locked: z.boolean().describe("Only those with Triage may comment."),
    comments_count: z.number().int(),
    edited_at: timestamp.nullable().describe("When the title or the description was last changed."),
    closes: z
      .array(NamedItem)
      .describe(
        "Issues that its description or its commits say it fixes, as far as the caller sees them; at most 50. None where it does not go into the default branch. Those of another repository are closed only if whoever merges has Write there; those in messages of commits if the commits are kept. Empty in lists.",
      ),
    reactions: Reactions,
    viewer_may: z.object({
      ...ViewerMay.shape,
      merge: z.boolean().describe("Merge it, as far as the permission goes: see `mergeable` too."),
    }),
    url: z.string(),
    web_url: z.string(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "MergeRequest" });
export type MergeRequest = z.infer<typeof MergeRequest>;

const branch = z.string().min(1).max(1000);
const draft = z.boolean().optional();
const maintainerCanModify = z.boolean().optional();
const triaged = {
  labels: LabelNames.optional(),
  assignees: Usernames.optional(),
};

export const MergeRequestCreate = z
  .strictObject({
    title: ItemTitle,
    description: MarkdownBody.optional(),
    source_branch: branch,
    source_repo: z
      .string()
      .max(201)
      .regex(/^[^/\s]+\/[^/\s]+$/, "Write it as OWNER/NAME.")
      .optional()
      .describe("`OWNER/NAME` of the fork with the source branch; the default is this repository."),
    target_branch: branch.optional().describe("Default: the default branch."),
    draft,
    maintainer_can_modify: maintainerCanModify.describe(
      "Whether those with Write in the target may push to the source branch in a fork while it is open; it takes `repo:write`. Default: true for a fork of a person, where the credential has that scope.",
    ),
    template: z
      .string()
      .max(4096)
      .optional()
      .describe(
        "Path of the template (`listMergeRequestTemplates`) that it follows: its labels are set, as far as they exist.",
      ),
    reviewers: z
      .array(Username)
      .max(maxReviewers)
      .optional()
      .describe("User names of those who are asked for a review.")
      .meta({ examples: [["mary"]] }),
    ...triaged,
  })
  .meta({
    id: "MergeRequestCreate",
    examples: [{ title: "Retry uploads", source_branch: "retry", target_branch: "main" }],
  });
export type MergeRequestCreate = z.infer<typeof MergeRequestCreate>;

export const MergeRequestUpdate = z
  .strictObject({
    title: ItemTitle.optional(),
    description: MarkdownBody.optional(),
    previous_description: PreviousText,
    target_branch: branch.optional(),
    draft,
    maintainer_can_modify: maintainerCanModify.describe(
      "For the author: whether those with Write in the target may push to the source branch in a fork; it takes `repo:write` to allow it.",
    ),
    milestone: idOf("mst").nullable().optional().describe("Id of a milestone of the repository."),
    ...triaged,
  })
  .meta({ id: "MergeRequestUpdate", examples: [{ title: "Retry uploads three times", draft: false }] });
export type MergeRequestUpdate = z.infer<typeof MergeRequestUpdate>;

export const MergeRequestDraft = z
  .strictObject({ draft: z.boolean().describe("Not ready: it cannot be merged.") })
  .meta({ id: "MergeRequestDraft", examples: [{ draft: false }] });
export type MergeRequestDraft = z.infer<typeof MergeRequestDraft>;

const howToMerge = {
  strategy: MergeStrategy.prefault("merge").describe(
    "`merge`: a commit with both branches as parents. `squash`: one commit with all changes. `rebase`: each commit again, on the target branch, without its signature. `fast_forward`: the commits as they are, only where the target branch has no others.",
  ),
  commit_message: z
    .string()
    .max(65_536)
    // oxlint-disable-next-line no-control-regex -- it is what is refused
    .regex(/^[^\u0000]*\S[^\u0000]*$/, "A message must not be empty, and cannot contain the character NUL.")
    .optional()
    .describe("Of the commit that is made; `rebase` and `fast_forward` make none of their own."),
  sha: objectId.optional().describe("The head that was seen; 409 where the source branch has moved since."),
  delete_source_branch: z
    .boolean()
    .prefault(false)
    .describe(
      "Afterwards. It stays where a rule protects it, where it has moved meanwhile, and in a fork to which the caller may not push.",
    ),
};

export const MergeRequestMerge = z
  .strictObject({
    ...howToMerge,
    when_pipeline_succeeds: z
      .boolean()
      .prefault(false)
      .describe("Where something is missing, wait for it, as `enableAutoMerge` does."),
    bypass: z
      .boolean()
      .prefault(false)
      .describe(
        "Merge although approvals, code owners or checks are missing. For those whom each of the rules names for it, from Maintain on; it is audited.",
      ),
    bypass_reason: z
      .string()
      .trim()
      .min(1)
      .max(1000)
      // oxlint-disable-next-line no-control-regex -- it is what is refused
      .regex(/^[^\u0000]*$/, "A text cannot contain the character NUL.")
      .optional()
      .describe("Why; required with `bypass`. It is shown in the timeline."),
  })
  .refine(({ bypass, bypass_reason: reason }) => !bypass || reason !== undefined, {
    path: ["bypass_reason"],
    message: "Say why: a bypass needs a reason.",
  })
  .refine(({ bypass, when_pipeline_succeeds: waits }) => !bypass || !waits, {
    path: ["when_pipeline_succeeds"],
    message: "A bypass does not wait: leave one of the two out.",
  })
  .meta({ id: "MergeRequestMerge", examples: [{ strategy: "squash", delete_source_branch: true }] });
export type MergeRequestMerge = z.output<typeof MergeRequestMerge>;

export const AutoMergeEnable = z
  .strictObject({
    ...howToMerge,
    sha: objectId
      .optional()
      .describe(
        "The only head that is meant: a push of another one ends it; 409 where the source branch has moved already.",
      ),
    delete_source_branch: z
      .boolean()
      .prefault(false)
      .describe(
        "Afterwards. It stays where a rule protects it, where it has moved meanwhile, and in a fork.",
      ),
  })
  .meta({ id: "AutoMergeEnable", examples: [{ strategy: "squash", delete_source_branch: true }] });
export type AutoMergeEnable = z.output<typeof AutoMergeEnable>;
