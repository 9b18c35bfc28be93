/** Why attempts are still queued: computed at each read from the current runners. */
import { featureLabel } from "@forgeline/schemas/runners/feature.ts";
import { reasonSentence } from "./reasons.ts";

/** What the runners can offer a queued attempt. */
export interface QueueRow {
  /** Of the attempt. */
  id: string;
  fitting: number;
  usable: number;
  free: number;
  nearest: string | null;
  missing: string[] | null;
}

export type QueueReason = { reason: string; message: string };

/** By attempt id. */
export function queueReasons(rows: readonly QueueRow[]): Map<string, QueueReason> {
  return new Map(rows.map((row) => [row.id, queueReasonOf(row)]));
}

export function queueReasonOf(row: Omit<QueueRow, "id">): QueueReason {
  if (row.free > 0) {
    return { reason: "no_free_runner", message: "A matching runner is free and has been offered the job." };
  }
  if (row.usable > 0) return told("no_free_runner");
  if (row.fitting > 0) return told("paused");
  if (row.nearest === null) {
    return { reason: "no_matching_runner", message: "No runner that can take this job is connected." };
  }
  return { reason: "no_matching_runner", message: lackOf(row.nearest, row.missing ?? []) };
}

function told(reason: string): QueueReason {
  return { reason, message: reasonSentence(reason) ?? reason };
}

/** What a job needs by a key of its own, which its author never wrote as a label. */
const lackedFeatures: Readonly<Record<string, string>> = {
  [featureLabel("privileged")]:
    "takes no privileged jobs (its operator can allow them with FORGELINE_RUNNER_PRIVILEGED)",
  [featureLabel("network_none")]:
    "cannot close a job's network (`network: none`), because it filters nothing",
  [featureLabel("network_allow")]:
    "cannot hold a job to a list of hosts (`network: { allow }`): it filters nothing, or is not in the network of its Docker daemon",
};

function lackOf(nearest: string, missing: readonly string[]): string {
  const labels = missing.filter((label) => lackedFeatures[label] === undefined);
  const lacks = labels.length === 0 ? [] : [`lacks ${labels.join(", ")}`];
  const cannot = missing.flatMap((label) => lackedFeatures[label] ?? []);
  if (cannot.length === 0) return `No runner has all the labels; the nearest, ${nearest}, ${lacks.join("")}.`;
  return `No runner has all that the job needs; the nearest, ${nearest}, ${[...lacks, ...cannot].join(", and ")}.`;
}
