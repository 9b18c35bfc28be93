/**
 * Intents for Temporal, written in the same transaction as the data they follow from. The relay
 * (`relay.ts`) hands them over at least once; receivers deduplicate by workflow id and fact.
 */
import type { AttemptFact, CancelRequest } from "@forgeline/schemas/pipelines/workflow.ts";
import type { Transaction } from "../db/database.ts";

export type OutboxIntent =
  | { kind: "start_pipeline"; pipelineId: string; sequence: number }
  | { kind: "attempt_fact"; pipelineId: string; sequence: number; fact: AttemptFact }
  | { kind: "cancel_pipeline"; pipelineId: string; sequence: number; request: CancelRequest }
  /** Begins the workflow of an open run anew, after the one before it has ended without success. */
  | { kind: "resume_pipeline"; pipelineId: string; sequence: number };

/** Items of one run share a key, so that a start goes before its signals. */
export async function addIntent(tx: Transaction, repositoryId: string, intent: OutboxIntent): Promise<void> {
  await tx.query(`insert into outbox (kind, key, repository_id, payload) values ($1, $2, $3, $4)`, [
    intent.kind,
    `pipeline:${intent.pipelineId}`,
    repositoryId,
    JSON.stringify(intent),
  ]);
  await tx.notify("outbox", "");
}
