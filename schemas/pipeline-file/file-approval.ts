/** Who has to agree before a stage or job starts, as an author writes it. */
import { z } from "zod";
import { ApprovalLevel } from "../approvals/level.ts";
import { FileDuration, FileStrings } from "./file-values.ts";

export const FileApproval = z
  .strictObject({
    approvers: FileStrings.optional().describe(
      "Users, and teams as ORG/TEAM, who may approve. Default: everyone with `level`.",
    ),
    level: ApprovalLevel.optional().describe(
      "Everyone with at least this permission on the repository may approve, besides the approvers. Default: write without approvers, otherwise only these.",
    ),
    count: z.int().min(1).max(10).optional().describe("How many of them have to approve. Default 1."),
    allow_self: z
      .boolean()
      .optional()
      .describe("false: neither who started the run nor the author of the commit may approve. Default true."),
    expires: FileDuration.optional().describe("Longest wait for the approval. Default 30d."),
    on_expire: z
      .enum(["reject", "skip"])
      .optional()
      .describe(
        "When nobody has decided in time. reject: it fails as approval_rejected; skip: it is skipped. Default reject.",
      ),
    message: z
      .string()
      .min(1, "text of 1 to 1000 characters")
      .max(1000, "text of 1 to 1000 characters")
      .optional()
      .describe("What approvers should know."),
  })
  .meta({ id: "approval", description: "Wait until people have approved." });
