/** What goes on by itself: webhooks and push mirrors when something has happened, and mirrors at their times. */
import { followerTaskQueue, type FollowerName } from "@forgeline/schemas/events/workflow.ts";
import type { Config } from "../../config/config.ts";
import { joinLifecycles } from "../../platform/lifecycle.ts";
import { createTemporalSchedules } from "../../platform/temporal-schedules.ts";
import { callPerId } from "../../platform/outbox/call-per-id.ts";
import type { Platform } from "../../platform/platform.ts";
import type { Accounts } from "../accounts/domain.ts";
import type { Collaboration } from "../collaboration/domain.ts";
import { createExamination, recordRepositoryPing, type Hosting } from "../hosting/domain.ts";
import { recordOrganizationPing, type Organizations } from "../organizations/domain.ts";
import type { Operation } from "../operation/domain.ts";
import type { Pipelines } from "../pipelines/domain.ts";
import { createAuditLogs } from "./audit-logs.ts";
import { createFollowerWorkflows } from "./events/follower-workflows.ts";
import { createFollowerRunner, type Follower } from "./events/follower-runner.ts";
import { createEventRetention } from "./events/retention.ts";
import { createForkComparison } from "./fork-syncs/compare-fork.ts";
import { pause as pauseFork } from "./fork-syncs/fork-schedules.store.ts";
import { createForkSyncMetrics } from "./fork-syncs/metrics.ts";
import {
  addForkScheduleIntent,
  createForkSyncHandler,
  forkScheduleKey,
  forkSyncKey,
  scheduledForks,
} from "./fork-syncs/schedules.ts";
import { createForkSyncService } from "./fork-syncs/service.ts";
import { createForkSyncs } from "./fork-syncs/syncs.ts";
import { createForkUpkeep } from "./fork-syncs/upkeep.ts";
import { createMirrorAlerts } from "./mirrors/alerts.ts";
import { encryptedMirrors } from "./mirrors/encrypted-mirrors.ts";
import { createKeptObjects } from "./mirrors/kept-objects.ts";
import { createMirrorMetrics } from "./mirrors/metrics.ts";
import { pauseTransferred } from "./mirrors/mirrors.store.ts";
import { createPreview } from "./mirrors/preview.ts";
import { scheduledMirrors, scheduleKey } from "./mirrors/schedules.ts";
import { createMirrorService } from "./mirrors/service.ts";
import { createMirrorSyncs } from "./mirrors/syncs.ts";
import { addScheduleIntent, createMirrorSchedules, createScheduleHandler } from "./mirrors/sync-schedules.ts";
import { createMirrorUpkeep } from "./mirrors/upkeep.ts";
import { pauseForcingMirrors } from "./push-mirrors/after-restore.ts";
import { createNotificationFollower } from "./notifications/follower.ts";
import { encryptedPushMirrors } from "./push-mirrors/encrypted-push-mirrors.ts";
import { createPushMirrorFollower } from "./push-mirrors/follower.ts";
import { createPushMirrorMetrics } from "./push-mirrors/metrics.ts";
import { pauseTransferred as pausePushMirrors } from "./push-mirrors/push-mirrors.store.ts";
import { addPushScheduleIntent, pushScheduleKey, scheduledPushMirrors } from "./push-mirrors/schedules.ts";
import { createPushMirrorService } from "./push-mirrors/service.ts";
import { createPushMirrorSyncs } from "./push-mirrors/syncs.ts";
import { createPushMirrorUpkeep } from "./push-mirrors/upkeep.ts";
import { createRepositoryImports } from "./repository-imports.ts";
import { createRunFollowing } from "./traces/create-run-following.ts";
import { createScheduleAlerts } from "./schedules/alerts.ts";
import { createScheduleFollower } from "./schedules/follower.ts";
import { createScheduleMetrics } from "./schedules/metrics.ts";
import { createReadFiles } from "./schedules/read-files.ts";
import { createScheduleService } from "./schedules/service.ts";
import { createStartDue } from "./schedules/start-due.ts";
import { createScheduleUpkeep } from "./schedules/upkeep.ts";
import { createCompleteEvent } from "./webhooks/complete-event.ts";
import { createDeliveryService } from "./webhooks/delivery-service.ts";
import { encryptedWebhooks } from "./webhooks/encrypted-webhooks.ts";
import { createEndpoints } from "./webhooks/endpoints.ts";
import { createWebhookMetrics } from "./webhooks/metrics.ts";
import { createRecorder } from "./webhooks/recorder.ts";
import { createWebhookRetries } from "./webhooks/retries.ts";
import { retryKey, retryKind, wakeRetries } from "./webhooks/retry-intents.ts";
import { createWebhookSender } from "./webhooks/sender.ts";
import { createWebhookService } from "./webhooks/service.ts";
import { createSwitchedOff } from "./webhooks/switched-off.ts";
import { switchOffTransferred } from "./webhooks/webhooks.store.ts";

export interface AutomationDeps {
  config: Config;
  platform: Platform;
  operation: Operation;
  accounts: Accounts;
  organizations: Organizations;
  hosting: Hosting;
  pipelines: Pipelines;
  collaboration: Collaboration;
}

export type Automation = ReturnType<typeof createAutomation>;

export function createAutomation(deps: AutomationDeps) {
  const { config, platform, hosting } = deps;
  const { taskQueue } = config.temporal;
  const ofTemporal = { temporal: platform.temporal, taskQueue };
  const wakeWebhook = (webhookId: string) => wakeRetries(ofTemporal, webhookId);
  platform.outbox.handle(retryKey, callPerId(retryKind, retryKey, wakeWebhook));
  hosting.onTransfer(async (tx, repositoryId) => {
    await switchOffTransferred(tx, repositoryId);
    // The new owner never saw the credentials, and decides whether they are used on.
    if (await pauseTransferred(tx, repositoryId))
      await addScheduleIntent(tx, { key: scheduleKey, repositoryId, at: repositoryId });
    if (await pauseFork(tx, repositoryId, "transferred")) await addForkScheduleIntent(tx, repositoryId);
    for (const id of await pausePushMirrors(tx, repositoryId))
      await addPushScheduleIntent(tx, { id, repository_id: repositoryId });
  });
  const { webhookSender, endpoints, ...ofWebhooks } = createWebhooks(deps);
  const { scheduleFollower, ...ofSchedules } = createSchedules(deps);
  const followers: Record<FollowerName, Follower> = {
    webhooks: webhookSender,
    push_mirrors: createPushMirrorFollower(platform),
    schedules: scheduleFollower,
    runs: createRunFollowing(deps),
    notifications: createNotificationFollower({
      ...platform,
      teller: deps.collaboration.notificationTeller,
    }),
  };
  return {
    ...ofWebhooks,
    ...createMirrors(deps),
    ...createPushMirrors(deps),
    ...createForks(deps),
    ...ofSchedules,
    ...createAuditLogs(deps),
    ...createRepositoryImports(deps),
    eventRetention: createEventRetention(platform.db),
    /** For the worker: what keeps followers running, and what they run. */
    followerRunner: createFollowerRunner(followers),
    followerWorkflows: createFollowerWorkflows({ ...ofTemporal, queue: followerTaskQueue(taskQueue) }),
    lifecycle: joinLifecycles([{ close: () => endpoints.close() }]),
  };
}

/** How much of a source is taken, and how long it may take. */
const wholeMs = 6 * 60 * 60 * 1000;
const slowest = { windowMs: 10 * 60 * 1000, minBytes: 64 * 1024 };

function createMirrors(deps: AutomationDeps) {
  const { config, platform, accounts, hosting } = deps;
  const { db, git, storage, outbound, addresses, instanceKeys, logger, outbox } = platform;
  const encryption = instanceKeys.encryption("mirror");
  deps.operation.encryptedRecords.add("mirrors", encryptedMirrors(encryption));
  const schedules = createMirrorSchedules(
    { db, schedules: createTemporalSchedules(platform.temporal) },
    scheduledMirrors(config.temporal.taskQueue),
  );
  outbox.handle(scheduleKey, createScheduleHandler(scheduleKey, schedules));
  const kept = createKeptObjects({ db, git, storage });
  const parts = { db, git, storage, encryption, addresses, outbound };
  return {
    mirrors: createMirrorService({ ...parts, ...hosting, schedules, mayDial: outbound.mayDial }),
    previewMirror: createPreview(parts),
    mirrorSyncs: createMirrorSyncs({
      ...parts,
      ...hosting,
      examineContent: createExamination({ git, maxFileBytes: config.maxFileBytes }),
      kept,
      logger,
      alerts: createMirrorAlerts({ addresses, notify: accounts.users.notify }),
      metrics: createMirrorMetrics(platform.metrics, db),
      limits: { ...slowest, wholeMs, maxBytes: config.maxRepositoryBytes },
    }),
    mirrorUpkeep: createMirrorUpkeep({ db, kept, schedules }),
    mirrorSchedules: schedules,
  };
}

/** How long a target may take. */
const pushLimits = { windowMs: 10 * 60 * 1000, settleMs: 60 * 60 * 1000, wholeMs };

function createPushMirrors(deps: AutomationDeps) {
  const { config, platform, accounts, hosting } = deps;
  const { db, git, storage, outbound, addresses, instanceKeys, logger, outbox } = platform;
  const encryption = instanceKeys.encryption("push_mirror");
  deps.operation.encryptedRecords.add("push_mirrors", encryptedPushMirrors(encryption));
  const schedules = createMirrorSchedules(
    { db, schedules: createTemporalSchedules(platform.temporal) },
    scheduledPushMirrors(config.temporal.taskQueue),
  );
  outbox.handle(pushScheduleKey, createScheduleHandler(pushScheduleKey, schedules));
  const { mayDial } = outbound;
  const parts = { db, git, storage, encryption, outbound, logger };
  return {
    pushMirrors: createPushMirrorService({ ...parts, addresses, schedules, mayDial }),
    pushMirrorSyncs: createPushMirrorSyncs({
      ...parts,
      lfs: hosting.lfs,
      alerts: createMirrorAlerts({ addresses, notify: accounts.users.notify }),
      metrics: createPushMirrorMetrics(platform.metrics, db),
      limits: pushLimits,
    }),
    pushMirrorUpkeep: createPushMirrorUpkeep(schedules),
    pushMirrorSchedules: schedules,
    pauseForcingMirrors: () => pauseForcingMirrors(db),
  };
}

function createForks({ config, platform, accounts, hosting }: AutomationDeps) {
  const { db, git, storage, addresses, logger, outbox, temporal } = platform;
  const { taskQueue } = config.temporal;
  const schedules = createMirrorSchedules(
    { db, schedules: createTemporalSchedules(temporal) },
    scheduledForks(taskQueue),
  );
  outbox.handle(forkScheduleKey, createScheduleHandler(forkScheduleKey, schedules));
  outbox.handle(forkSyncKey, createForkSyncHandler({ temporal, taskQueue }));
  const examineContent = createExamination({ git, maxFileBytes: config.maxFileBytes });
  const parts = { db, git, storage, examineContent, pushes: hosting.pushes, upstreams: hosting.upstreams };
  const compare = createForkComparison({ git, storage });
  return {
    forkSyncService: createForkSyncService({ ...parts, addresses, compare, schedules }),
    forkSyncs: createForkSyncs({
      ...parts,
      logger,
      users: accounts.users,
      lfs: hosting.lfs,
      alerts: createMirrorAlerts({ addresses, notify: accounts.users.notify }),
      metrics: createForkSyncMetrics(platform.metrics, db),
    }),
    forkUpkeep: createForkUpkeep({ db, schedules }),
  };
}

function createSchedules({ platform, accounts, pipelines }: AutomationDeps) {
  const { db, logger, addresses, outbox } = platform;
  const runs = pipelines.scheduledRuns;
  const startDue = createStartDue({
    db,
    logger,
    runs,
    alerts: createScheduleAlerts({ addresses, notify: accounts.users.notify }),
    metrics: createScheduleMetrics(platform.metrics, db),
    countWaiting: outbox.countDue,
  });
  return {
    pipelineSchedules: createScheduleService({ db, addresses, runs, pipelines: pipelines.pipelines }),
    scheduleFollower: createScheduleFollower({
      db,
      logger,
      readFiles: createReadFiles({ db, logger, runs }),
      startDue,
    }),
    scheduleUpkeep: createScheduleUpkeep(db),
  };
}

function createWebhooks(deps: AutomationDeps) {
  const { config, platform, accounts, organizations: ofOrganizations, hosting } = deps;
  const { db, logger, addresses, outbound, instanceKeys, metrics: registry } = platform;
  const { organizations } = ofOrganizations;
  const firstWaitMs = config.periods.webhookRetryMs;
  const encryption = instanceKeys.encryption("webhook");
  deps.operation.encryptedRecords.add("webhooks", encryptedWebhooks(encryption));
  const endpoints = createEndpoints({ db, encryption, outbound });
  const complete = createCompleteEvent({ db, pushedCommits: hosting.pushedCommits });
  const switchedOff = createSwitchedOff({ addresses, notify: accounts.users.notify });
  const metrics = createWebhookMetrics(registry, db);
  const recorder = createRecorder({ db, logger, metrics, switchedOff, firstWaitMs });
  const sending = { db, logger, addresses, endpoints, recorder, complete, firstWaitMs };
  return {
    endpoints,
    webhookSender: createWebhookSender(sending),
    webhookRetries: createWebhookRetries({
      ...sending,
      temporal: platform.temporal,
      taskQueue: config.temporal.taskQueue,
    }),
    webhooks: createWebhookService({ db, encryption, addresses, organizations, mayDial: outbound.mayDial }),
    webhookDeliveries: createDeliveryService({
      db,
      addresses,
      complete,
      recordPing(tx, { userId: senderId }, { owner, subject }) {
        return "repository" in owner
          ? recordRepositoryPing(tx, { repositoryId: owner.repository.id, senderId }, subject)
          : recordOrganizationPing(tx, { organizationId: owner.organization.id, senderId }, subject);
      },
    }),
  };
}

// What other domains and the edges may use.
export type { AuditExports } from "./audit-exports/exports.ts";
export type { AuditExportService, ExportFile } from "./audit-exports/service.ts";
export type { AuditStreamService } from "./audit-streams/service.ts";
export type { AuditStreams } from "./audit-streams/streams.ts";
export type { FollowerRunner } from "./events/follower-runner.ts";
export type { FollowerWorkflows } from "./events/follower-workflows.ts";
export type { DeliveryService } from "./webhooks/delivery-service.ts";
export type { ImportArchiveService } from "./imports/archives/archive-service.ts";
export type { Imports } from "./imports/imports.ts";
export type { ImportPeople } from "./imports/people.ts";
export type { ImportService } from "./imports/service.ts";
export type { MirrorSchedules } from "./mirrors/sync-schedules.ts";
export type { ForkSyncService } from "./fork-syncs/service.ts";
export type { ForkSyncs } from "./fork-syncs/syncs.ts";
export type { MirrorService } from "./mirrors/service.ts";
export type { MirrorSyncs } from "./mirrors/syncs.ts";
export type { PushMirrorService } from "./push-mirrors/service.ts";
export type { PushMirrorSyncs } from "./push-mirrors/syncs.ts";
export type { PreviewMirror } from "./mirrors/preview.ts";
export type { ScheduleService } from "./schedules/service.ts";
export type { WebhookRetries } from "./webhooks/retries.ts";
export type { WebhookService } from "./webhooks/service.ts";
