/** All activities, out of the services that they call: a workflow that needs a further service adds its key here. */
import type {
  AuditExports,
  AuditStreams,
  FollowerRunner,
  Imports,
  WebhookRetries,
} from "@forgeline/server/domains/automation/domain.ts";
import type { StatisticsComputation } from "@forgeline/server/domains/hosting/domain.ts";
import type { KeyRotation } from "@forgeline/server/domains/operation/domain.ts";
import type { RunService } from "@forgeline/server/domains/pipelines/domain.ts";
import type { MaintenanceService, UpkeepSchedules } from "@forgeline/server/domains/upkeep/domain.ts";
import { createAuditExportActivities } from "./audit-exports.ts";
import { createAuditStreamActivities } from "./audit-streams.ts";
import { createFollowerActivities } from "./followers.ts";
import { createImportActivities } from "./imports.ts";
import { createKeyActivities } from "./keys.ts";
import { createMaintenanceActivities } from "./maintenance.ts";
import { createMirrorActivities, type MirrorServices } from "./mirrors.ts";
import { createPipelineActivities } from "./pipelines.ts";
import { createStatisticsActivities } from "./statistics.ts";
import { createUpkeepActivities } from "./upkeep.ts";
import { createWebhookActivities } from "./webhooks.ts";

export interface WorkflowServices {
  runs: RunService;
  maintenance: MaintenanceService;
  statistics: StatisticsComputation;
  upkeepSchedules: Pick<UpkeepSchedules, "runTask">;
}

/** Of a queue of their own: what must wait for no other work. */
export interface FollowingServices {
  followerRunner: FollowerRunner;
  webhookRetries: WebhookRetries;
  keyRotation: KeyRotation;
  auditExports: AuditExports;
  auditStreams: AuditStreams;
}

/** Of another one: what waits for others' servers. */
export interface MirroringServices extends MirrorServices {
  imports: Imports;
  /** At a time. */
  maxSyncs: number;
}

export function createActivities(services: WorkflowServices) {
  return {
    ...createPipelineActivities(services.runs),
    ...createMaintenanceActivities(services.maintenance),
    ...createStatisticsActivities(services.statistics),
    ...createUpkeepActivities(services.upkeepSchedules),
  };
}

export function createFollowingActivities(services: FollowingServices) {
  return {
    ...createFollowerActivities(services.followerRunner),
    ...createWebhookActivities(services.webhookRetries),
    ...createKeyActivities(services.keyRotation),
    ...createAuditExportActivities(services.auditExports),
  };
}

/** Of a further queue: of these, each waits for its target. */
export function createStreamingActivities({ auditStreams }: Pick<FollowingServices, "auditStreams">) {
  return createAuditStreamActivities(auditStreams);
}

export function createMirroringActivities(services: MirroringServices) {
  return { ...createMirrorActivities(services), ...createImportActivities(services.imports) };
}
