/** Gates of a run as REST shows them, and what people decide at them. */
import { z } from "zod";
import { displayText } from "../core/display-text.ts";
import { idOf } from "../core/ids.ts";
import { timestamp } from "../core/time.ts";
import { EnvironmentName } from "../environments/resource.ts";
import { idPattern } from "../pipeline-file/file-values.ts";
import { ApprovalLevel } from "./level.ts";

export const ApprovalGate = z
  .object({
    id: idOf("gate"),
    stage: z.string(),
    job: z.string().nullable().describe("Id of the job in the file; null: the gate is that of the stage."),
    environment: z
      .string()
      .nullable()
      .describe("The environment whose protection asks for it; null: the pipeline file does."),
    sequence: z.number().int().describe("Of the run: a rerun asks again."),
    sha: z.string().describe("The commit that is approved."),
    state: z
      .enum(["open", "approved", "rejected", "expired", "closed"])
      .describe("`closed`: nothing waits for it any more, because the run was ended."),
    count: z.number().int().describe("How many have to approve."),
    approvers: z.array(z.string()).describe("Users, and teams as `org/team`, who may approve."),
    level: ApprovalLevel.nullable().describe(
      "Everyone with at least this permission on the repository may approve too; null: only the approvers.",
    ),
    allow_self: z
      .boolean()
      .describe("Whether who started the run, and the author of the commit, may approve too."),
    message: z.string().nullable().describe("What the file tells approvers."),
    approvals: z
      .array(
        z.object({
          user: z.object({ id: idOf("usr"), username: z.string() }),
          decision: z.enum(["approve", "reject"]),
          comment: z.string(),
          counts: z
            .boolean()
            .describe(
              "False: the user may not approve any more, so it does not count. Of a gate that is decided: as it was then.",
            ),
          at: timestamp,
        }),
      )
      .describe("Oldest first."),
    newer: z
      .object({
        environment: z.string(),
        pipeline: z.object({ id: idOf("pipe"), number: z.number().int() }),
        sha: z.string(),
        at: timestamp,
        refused: z
          .boolean()
          .describe("The environment refuses what is older: the job fails, whoever approves."),
      })
      .nullable()
      .describe(
        "What a newer run has deployed meanwhile to where this one would deploy: passing the gate would replace it by something older. null: nothing newer, or nothing waits at the gate.",
      ),
    rollback: z
      .object({
        environment: z.string(),
        replaces: z
          .object({ pipeline: z.object({ id: idOf("pipe"), number: z.number().int() }), sha: z.string() })
          .describe("What is deployed there now."),
        asked_by: z
          .string()
          .nullable()
          .describe("User name of who ran the job again; null if the user was deleted."),
      })
      .nullable()
      .describe(
        "Where passing the gate goes back: the run has deployed there before, and another one has since. null: it does not, or nothing waits at the gate.",
      ),
    shortage: z
      .string()
      .nullable()
      .describe(
        "Fewer people may approve than have to, and what can be done. null: enough may, or it is not open. The list of what waits for you does not tell.",
      ),
    may_decide: z.boolean().describe("You may approve and reject."),
    opened_at: timestamp,
    expires_at: timestamp,
    on_expire: z.enum(["reject", "skip"]),
    decided_at: timestamp.nullable(),
  })
  .meta({ id: "ApprovalGate" });
export type ApprovalGate = z.infer<typeof ApprovalGate>;

export const ForkApproval = z
  .object({
    merge_request: z.number().int().describe("Its number."),
    author: z.string().describe("User name of its author."),
    state: z
      .enum(["open", "approved", "rejected", "closed"])
      .describe("`closed`: the run was ended before anybody decided."),
    sha: z.string().describe("The commit that is approved."),
    plan_sha256: z.string().describe("Of what the run does, as its file says it at this commit."),
    decided_by: z
      .object({ id: idOf("usr"), username: z.string() })
      .nullable()
      .describe("Null while nobody has, and once the account is gone."),
    comment: z.string(),
    decided_at: timestamp.nullable(),
    may_decide: z.boolean().describe("You may approve and reject."),
  })
  .meta({ id: "ForkApproval" });
export type ForkApproval = z.infer<typeof ForkApproval>;

/** Of all repositories, for the one who may decide. */
export const AwaitedApproval = z
  .object({
    repository: z.string().describe("`OWNER/NAME`."),
    pipeline: z.object({
      id: idOf("pipe"),
      number: z.number().int(),
      ref: z.string().describe("The branch, tag or merge request that it runs for, as `refs/…`."),
      commit: z.object({ sha: z.string(), message: z.string(), author: z.string() }),
      url: z.string(),
      web_url: z.string(),
    }),
    approval: ApprovalGate.nullable().describe("The gate; null: it is about the commit of a fork."),
    fork_approval: ForkApproval.nullable().describe(
      "The commit that comes from a fork; null: it is about a gate.",
    ),
  })
  .meta({ id: "AwaitedApproval" });
export type AwaitedApproval = z.infer<typeof AwaitedApproval>;

const place = z.string().regex(idPattern);

export const ApprovalDecision = z
  .strictObject({
    job: place.optional().describe("Id or key of a job; all combinations of a matrix share one gate."),
    stage: place
      .optional()
      .describe(
        "Name of a stage. Without a `job` and a `stage`: the commit of a run that comes from a fork.",
      ),
    environment: EnvironmentName.optional().describe(
      "Of the job, where it waits for several environments at once (in a matrix), or for one beside its own approval.",
    ),
    decision: z.enum(["approve", "reject"]),
    trust_author: z
      .boolean()
      .optional()
      .describe(
        "With an approval of a fork's commit: merge requests of its author run without approval for 90 days. Still without secrets.",
      ),
    comment: displayText(1000).optional(),
  })
  .refine(({ job, stage }) => job === undefined || stage === undefined, {
    path: ["stage"],
    message: "Name either a job or a stage.",
  })
  .refine(
    ({ job, stage, decision, trust_author: trust }) =>
      trust !== true || (job === undefined && stage === undefined && decision === "approve"),
    { path: ["trust_author"], message: "An author is trusted with the approval of a fork's commit." },
  )
  .refine(({ job, environment }) => job !== undefined || environment === undefined, {
    path: ["environment"],
    message: "An environment belongs to a job.",
  })
  .meta({
    id: "ApprovalDecision",
    examples: [{ stage: "deploy", decision: "approve", comment: "Looks good." }],
  });
export type ApprovalDecision = z.infer<typeof ApprovalDecision>;
