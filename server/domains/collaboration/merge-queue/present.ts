/** A merge queue as the REST interface shows it. */
import type { MergeQueue, MergeQueueEntry } from "@forgeline/schemas/merge-queue/resource.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { repositoryAddress } from "../../hosting/domain.ts";
import { presentPersonOrNull } from "../work-items/present.ts";
import type { QueueRun } from "./batch-plan.ts";
import type { EntryRow } from "./entries.store.ts";
import type { BatchRow } from "./queues.store.ts";

export interface QueueView {
  repository: { owner: string; name: string };
  addresses: Addresses;
}

/** Those that have landed are left out, until a server has tidied up after them. */
export function presentEntries(
  rows: readonly EntryRow[],
  batches: readonly BatchRow[],
  { repository, addresses }: QueueView,
): MergeQueueEntry[] {
  const address = repositoryAddress(addresses, repository);
  return rows
    .filter(({ item_state: state }) => state === "open")
    .map((row, index) => ({
      number: row.number,
      title: row.title,
      position: index + 1,
      state: batches.find(({ id }) => id === row.batch_id)?.state ?? "queued",
      head_sha: row.head_sha,
      strategy: row.strategy,
      queued_by: presentPersonOrNull(row.queued_by_person, addresses),
      queued_at: row.queued_at.toISOString(),
      web_url: address.web("merge-requests", String(row.number)),
    }));
}

export function presentBatch(
  batch: BatchRow,
  runs: readonly QueueRun[],
  { repository, addresses }: QueueView,
): MergeQueue["batches"][number] {
  const address = repositoryAddress(addresses, repository);
  const { state, base_sha, sha, size, created_at: createdAt } = batch;
  return {
    state,
    base_sha,
    sha,
    size,
    created_at: createdAt.toISOString(),
    runs: runs.map(({ id, number, file: pipeline, status }) => ({
      id,
      number,
      pipeline,
      status,
      web_url: address.web("pipelines", String(number)),
    })),
  };
}
