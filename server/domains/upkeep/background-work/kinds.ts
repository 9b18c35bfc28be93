/** The kinds of workflows, and the subjects that their ids name. */
import { auditExportOf, auditExportWorkflowName } from "@forgeline/schemas/audit-exports/workflow.ts";
import { auditStreamOf, auditStreamWorkflowName } from "@forgeline/schemas/audit-streams/workflow.ts";
import type { WorkKind } from "@forgeline/schemas/background-work/resource.ts";
import { followEventsWorkflowName } from "@forgeline/schemas/events/workflow.ts";
import { importOf, importWorkflowName } from "@forgeline/schemas/imports/workflow.ts";
import { keyRotationWorkflowName } from "@forgeline/schemas/keys/workflow.ts";
import { maintenanceWorkflowName } from "@forgeline/schemas/maintenance/workflow.ts";
import { mirroredRepositoryOf, mirrorSyncWorkflowName } from "@forgeline/schemas/mirrors/workflow.ts";
import { forkOf, forkSyncWorkflowName } from "@forgeline/schemas/fork-syncs/workflow.ts";
import { pushMirrorOf, pushMirrorSyncWorkflowName } from "@forgeline/schemas/push-mirrors/workflow.ts";
import { pipelineWorkflowName } from "@forgeline/schemas/pipelines/workflow.ts";
import { statisticsWorkflowId, statisticsWorkflowName } from "@forgeline/schemas/statistics/workflow.ts";
import { upkeepTaskWorkflowName } from "@forgeline/schemas/upkeep-schedules/workflow.ts";
import { webhookOfWorkflow, webhookRetriesWorkflowName } from "@forgeline/schemas/webhooks/workflow.ts";

export type KnownKind = Exclude<WorkKind, "other">;

export const workflowNames: Record<KnownKind, string> = {
  pipeline_run: pipelineWorkflowName,
  repository_upkeep: maintenanceWorkflowName,
  repository_statistics: statisticsWorkflowName,
  event_follower: followEventsWorkflowName,
  webhook_retries: webhookRetriesWorkflowName,
  key_rotation: keyRotationWorkflowName,
  upkeep_task: upkeepTaskWorkflowName,
  mirror_sync: mirrorSyncWorkflowName,
  push_mirror_sync: pushMirrorSyncWorkflowName,
  fork_sync: forkSyncWorkflowName,
  repository_import: importWorkflowName,
  audit_export: auditExportWorkflowName,
  audit_stream: auditStreamWorkflowName,
};

export const knownKinds = Object.keys(workflowNames) as KnownKind[];

export function kindOf(workflowName: string): WorkKind {
  return knownKinds.find((kind) => workflowNames[kind] === workflowName) ?? "other";
}

/** The subject of a workflow, by identifier. */
export type SubjectId =
  | { type: "run"; pipelineId: string; sequence: number }
  | { type: "repository"; repositoryId: string }
  | { type: "webhook"; webhookId: string }
  /** An export or a stream of one. */
  | { type: "audit_log"; id: string };

/** null where it is about nothing single. */
export function subjectOfWorkflow(kind: WorkKind, workflowId: string): SubjectId | null {
  if (kind === "pipeline_run") {
    const [, pipelineId, sequence] = /^pipeline:(pipe_[0-9a-z]+):(\d+)$/.exec(workflowId) ?? [];
    return pipelineId === undefined ? null : { type: "run", pipelineId, sequence: Number(sequence) };
  }
  if (kind === "webhook_retries") {
    const webhookId = webhookOfWorkflow(workflowId);
    return webhookId === undefined ? null : { type: "webhook", webhookId };
  }
  if (kind === "mirror_sync" || kind === "push_mirror_sync" || kind === "fork_sync") {
    const repositoryId =
      mirroredRepositoryOf(workflowId) ?? pushMirrorOf(workflowId)?.repositoryId ?? forkOf(workflowId);
    return repositoryId === undefined ? null : { type: "repository", repositoryId };
  }
  if (kind === "repository_import") {
    const repositoryId = importOf(workflowId)?.repositoryId;
    return repositoryId === undefined ? null : { type: "repository", repositoryId };
  }
  if (kind === "audit_export" || kind === "audit_stream") {
    const id = auditExportOf(workflowId) ?? auditStreamOf(workflowId);
    return id === undefined ? null : { type: "audit_log", id };
  }
  const prefix = statisticsWorkflowId("");
  if (kind === "repository_statistics" && workflowId.startsWith(prefix))
    return { type: "repository", repositoryId: workflowId.slice(prefix.length) };
  return null;
}
