/** Made by `node scripts/generate-rows.ts` from the statements of awaited.store.ts; do not edit. */
import type { PlanApproval } from "@forgeline/schemas/pipeline-file/plan-approval.ts";

export interface AwaitedRows {
  listAwaited: {
    gate_id: string | null;
    pipeline_id: string;
    repository: string;
    number: number;
    ref: string;
    sha: string;
    commit_message: string | null;
    commit_author: string | null;
  };
  listGates: {
    id: string;
    sequence: number;
    sha: string;
    stage: string;
    job: string | null;
    environment: string | null;
    rule: PlanApproval;
    state: "approved" | "expired" | "open" | "rejected";
    opened_at: Date;
    expires_at: Date;
    decided_at: Date | null;
    is_late: boolean;
    is_awaited: boolean;
    approvals: {
      user_id: string;
      username: string;
      decision: "approve" | "reject";
      comment: string;
      decided_at: string;
      counts: boolean;
    }[];
    may_decide: boolean;
    newer: {
      environment: string;
      pipeline_id: string;
      number: number;
      sha: string;
      at: string;
      refused: boolean;
    } | null;
    rollback: {
      environment: string;
      pipeline_id: string;
      number: number;
      sha: string;
      asked_by: string | null;
    } | null;
  };
}
