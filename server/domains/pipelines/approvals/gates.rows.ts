/** Made by `node scripts/generate-rows.ts` from the statements of gates.store.ts; do not edit. */
import type { PlanApproval } from "@forgeline/schemas/pipeline-file/plan-approval.ts";

export interface GatesRows {
  openGate: never;
  addTarget: never;
  findGate: {
    id: string;
    deploys_to: string[];
    expires_at: Date;
    state: "approved" | "expired" | "open" | "rejected";
    rule: PlanApproval;
    left_ms: number;
    username: string | null;
    comment: string | null;
    given: number;
    job: string | null;
    environment: string | null;
    environment_id: string | null;
    wait_until: Date | null;
    wait_ms: number | null;
  };
  approvedGates: {
    stage: string;
    job: string | null;
    environment: string | null;
  };
  waitingAt: {
    pipeline_id: string;
    sequence: number;
    stage: string;
    job: string | null;
  };
  closeGate: {
    openSeconds: number;
  };
  giveApproval: never;
  keepCounted: never;
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
