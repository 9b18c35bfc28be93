/** What the rules of its target branch want of a merge request, and what it has. */
import { z } from "zod";
import { MergeStrategy } from "../core/merge-strategies.ts";
import { objectId } from "../commits/resource.ts";
import { verificationReasons } from "../commits/verification.ts";
import { idOf } from "../core/ids.ts";
import { Person } from "../users/person.ts";

export const Approval = z
  .object({
    user: Person,
    state: z.enum(["approved", "changes_requested"]),
    commit_sha: objectId.describe("The head that they saw."),
    stale: z.boolean().describe("The source branch has moved since."),
    counts: z
      .boolean()
      .describe(
        "An approval that counts, or a request for changes that blocks. Those of the author never do, nor those of people who may not write here any more.",
      ),
  })
  .meta({ id: "MergeRequestApproval" });
export type Approval = z.infer<typeof Approval>;

export const CodeOwnerApproval = z
  .object({
    pattern: z.string().describe("Of the line in CODEOWNERS that matches changed files."),
    section: z.string().nullable().describe("Null: before the first heading."),
    owners: z.array(z.string()).describe("As the line names them."),
    approved_by: z
      .array(Person)
      .describe("Owners whose approvals count; not those who own it by a team that the caller does not see."),
    missing: z.number().int(),
  })
  .meta({ id: "CodeOwnerApproval" });
export type CodeOwnerApproval = z.infer<typeof CodeOwnerApproval>;

export const UnsignedCommit = z
  .object({
    sha: objectId,
    reason: z
      .enum([...verificationReasons, "too_large"])
      .exclude(["valid"])
      .describe("As in the verification of the commit; `too_large`: its signature is not looked at."),
  })
  .meta({ id: "UnsignedCommit" });
export type UnsignedCommit = z.infer<typeof UnsignedCommit>;

export const MergeRequestApprovals = z
  .object({
    required: z.number().int().describe("By the strictest of the rules that match the target branch."),
    given: z.number().int().describe("Approvals that count."),
    missing: z.number().int(),
    by: z.array(Approval).describe("The last decisive review of each person, also where it does not count."),
    lacks_other_approver: z
      .boolean()
      .describe("Somebody other than the last pusher still has to approve the newest commits."),
    code_owners: z
      .array(CodeOwnerApproval)
      .describe("Empty where no rule asks for them, and where nobody owns the changed files."),
    unsigned_commits: z
      .array(UnsignedCommit)
      .describe(
        "Commits without a verified signature where a rule requires signed ones, newest first, at most three; empty where more than 250 commits are new to the target branch. They keep it from being merged in every way but `squash`, and are in `blocked_by` where rules do not allow that.",
      ),
    strategies: z
      .array(MergeStrategy)
      .describe(
        "Ways in which the rules let it be merged; `squash` alone where commits are not signed and rules allow it.",
      ),
    merge_queue: z
      .boolean()
      .describe("It is merged by the queue of its target branch: add it with `addToMergeQueue`."),
    blocked_by: z.array(z.string()).describe("As in the merge request, but not that it is a draft."),
    other_reasons: z
      .array(z.string())
      .describe(
        "Those of `blocked_by` that neither the other fields here nor the checks say, for pages that show those.",
      ),
    viewer_may: z.object({
      merge: z.boolean().describe("As in the merge request."),
      bypass: z
        .boolean()
        .describe("Merge now although something is missing, with `bypass` and `bypass_reason`."),
    }),
  })
  .meta({ id: "MergeRequestApprovals" });
export type MergeRequestApprovals = z.infer<typeof MergeRequestApprovals>;

export const checkStates = ["passed", "skipped", "failed", "running", "missing"] as const;

export const MergeRequestCheck = z
  .object({
    pipeline: z.string().describe("Path of the pipeline file."),
    job: z.string().nullable().describe("Key of the job; null: the whole run."),
    state: z
      .enum(checkStates)
      .describe("Of the head. `skipped` counts as passed; `missing`: there was never one for this commit."),
    run: z
      .object({ id: idOf("pipe"), number: z.number().int(), web_url: z.string() })
      .nullable()
      .describe("The newest run of the file; null: there is none, or runs are not for the caller."),
  })
  .meta({ id: "MergeRequestCheck" });
export type MergeRequestCheck = z.infer<typeof MergeRequestCheck>;
