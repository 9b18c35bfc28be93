/** Tables of states in the pages that tell about them, drawn from the tables that the code asks. */
import type { StateTable } from "@forgeline/schemas/core/state-table.ts";
import { jobStates as jobInRunnerStates } from "../../runner/job/job-states.ts";
import { queueEntryStates } from "../../server/domains/collaboration/merge-queue/queue-states.ts";
import { mergeRequestStates } from "../../server/domains/collaboration/merge-requests/merge-request-states.ts";
import { deliveryStates } from "../../server/domains/automation/webhooks/delivery-states.ts";
import { pushStates } from "../../server/domains/hosting/pushes/push-states.ts";
import { slotStates } from "../../server/domains/pipelines/concurrency/slot-states.ts";
import { placementStates } from "../../server/domains/pipelines/placements/placement-states.ts";
import { streamStates } from "../../server/domains/pipelines/logs/stream-states.ts";
import { shellStates } from "../../server/domains/pipelines/shells/shell-states.ts";
import { attemptStates } from "../../server/domains/pipelines/runs/attempt-states.ts";
import { jobStates } from "../../server/domains/pipelines/runs/job-states.ts";
import { runStates } from "../../server/domains/pipelines/runs/run-states.ts";
import { withPart, withParts } from "./marked-part.ts";

export function generateEnginePage(): Promise<string> {
  return withPart("docs/architecture/engine.md", "attempt", drawn(attemptStates));
}

export function generateWorkflowPage(): Promise<string> {
  return withParts("docs/architecture/workflow.md", { run: drawn(runStates), job: drawn(jobStates) });
}

export function generateGitPage(): Promise<string> {
  return withPart("docs/architecture/git.md", "push", drawn(pushStates));
}

export function generateConcurrencyPage(): Promise<string> {
  return withPart("docs/architecture/concurrency.md", "slot", drawn(slotStates));
}

export function generateShellsPage(): Promise<string> {
  return withPart("docs/architecture/shells.md", "shell", drawn(shellStates));
}

export function generatePlacementsPage(): Promise<string> {
  return withPart("docs/architecture/placements.md", "placement", drawn(placementStates));
}

export function generateLogsPage(): Promise<string> {
  return withPart("docs/architecture/logs.md", "stream", drawn(streamStates));
}

export function generateWebhooksPage(): Promise<string> {
  return withPart("docs/architecture/webhooks.md", "delivery", drawn(deliveryStates));
}

export function generateCollaborationPage(): Promise<string> {
  return withPart("docs/architecture/collaboration.md", "merge request", drawn(mergeRequestStates));
}

export function generateMergeQueuePage(): Promise<string> {
  return withPart("docs/architecture/merge-queue.md", "merge queue", drawn(queueEntryStates));
}

export function generateRunnerProtocolPage(): Promise<string> {
  return withPart("docs/architecture/runner-protocol.md", "job", drawn(jobInRunnerStates));
}

function drawn<State extends string, Event extends string>(table: StateTable<State, Event>): string {
  const rows = table.events.flatMap((event) =>
    table.states
      .map((to) => ({ to, from: table.sources(event, to) }))
      .filter(({ from }) => from.length > 0)
      .map(({ to, from }) => `| ${from.join(", ")} | \`${event}\` | ${to} | ${table.meaning(event)} |`),
  );
  return ["| From | Event | To | What happens |", "|---|---|---|---|", ...rows].join("\n");
}
