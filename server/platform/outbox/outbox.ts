/**
 * Intents for Temporal, written in the same transaction as the data they follow from. The relay
 * (`relay.ts`) hands them over at least once; receivers deduplicate by workflow id and fact.
 */
import type { AttemptFact, CancelRequest } from "@forgeline/schemas/pipelines/workflow.ts";
import type { Transaction } from "../db/database.ts";
import { insertItem } from "./outbox.store.ts";

export type OutboxIntent =
  | { kind: "start_pipeline"; pipelineId: string; sequence: number }
  | { kind: "attempt_fact"; pipelineId: string; sequence: number; fact: AttemptFact }
  | { kind: "cancel_pipeline"; pipelineId: string; sequence: number; request: CancelRequest }
  /** Begins the workflow of an open run anew, after the one before it has ended without success. */
  | { kind: "resume_pipeline"; pipelineId: string; sequence: number };

/** Items of one run share a key, so that a start goes before its signals. */
export async function addIntent(tx: Transaction, repositoryId: string, intent: OutboxIntent): Promise<void> {
  await insertItem(tx, {
    kind: intent.kind,
    key: `pipeline:${intent.pipelineId}`,
    repositoryId,
    payload: JSON.stringify(intent),
  });
  await tx.notify("outbox", "");
}
