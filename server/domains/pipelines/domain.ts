/** Pipelines: compiles files to runs, decides what runs next, hands jobs to runners under leases, and stores logs. */
import type { Config } from "../../config/config.ts";
import { joinLifecycles } from "../../platform/lifecycle.ts";
import type { Platform } from "../../platform/platform.ts";
import type { Hosting } from "../hosting/domain.ts";
import type { Operation } from "../operation/domain.ts";
import type { Policy } from "../policy/domain.ts";
import { createArtifacts } from "./artifacts/create-artifacts.ts";
import { createIdTokens } from "./id-tokens/create-id-tokens.ts";
import { withIdTokens } from "./id-tokens/job-id-tokens.ts";
import { createCaches } from "./caches/create-caches.ts";
import { leaveOldOwner } from "./concurrency/leave-owner.ts";
import { createSlotRecovery } from "./concurrency/recovery.ts";
import { createConcurrencyService } from "./concurrency/service.ts";
import { createEnvironmentService } from "./environments/service.ts";
import { createRunHistory } from "./create-run-history.ts";
import { createCompilePool } from "./compile/compile-pool.ts";
import { findMaterial, hasLeaseFrom } from "./leases/leases.store.ts";
import { createLeases } from "./leases/create-leases.ts";
import { removeLogs } from "./logs/remove-logs.ts";
import { createLogs } from "./logs/create-logs.ts";
import { sumLogs } from "./logs/size.store.ts";
import { withPrivileges } from "./privileges/judge-job.ts";
import { createPipelineLimits } from "./pipeline-limits/service.ts";
import { createForkApprovals } from "./merge-request-runs/fork-approvals.ts";
import { createOfMergeRequests } from "./merge-request-runs/create-merge-request-runs.ts";
import { createPrivilegeService } from "./privileges/service.ts";
import { createReports } from "./reports/create-reports.ts";
import { createSigningKeys } from "./signing-keys/create-signing-keys.ts";
import type { RunnerGroupService } from "./runner-groups/service.ts";
import { createRunners } from "./runners/create-runners.ts";
import { childKey } from "./runs/child-intents.ts";
import { createChildMetrics, createRunMetrics, type ChildMetrics } from "./runs/metrics.ts";
import { createRunHandler, runKey } from "./runs/run-intents.ts";
import { createChildHandler } from "./runs/start-child.ts";
import { createSecrets } from "./secrets/create-secrets.ts";
import { createScheduledRuns } from "./runs/scheduled-runs.ts";
import { createPipelineService, type PipelineService } from "./runs/service.ts";
import { createRunService } from "./runs/workflow-service.ts";
import type { LogIngest } from "./logs/ingest.ts";
import { createShellService } from "./shells/service.ts";
import { createVariableService } from "./variables/service.ts";

export interface PipelinesDeps {
  config: Config;
  platform: Platform;
  operation: Operation;
  policy: Policy;
  hosting: Hosting;
}

export type Pipelines = ReturnType<typeof createPipelines>;

export function createPipelines({ config, platform, operation, policy, hosting }: PipelinesDeps) {
  const { db, addresses, metrics, logger } = platform;
  const compiler = createCompilePool();
  const { removeFiles, reportReader, ...files } = createFiles(config, platform);
  const forkApprovals = createForkApprovals();
  const ofRuns = { compiler, childMetrics: createChildMetrics(metrics), forkApprovals, ...config.queue };
  const pipelines = createPipelineService({ ...platform, ...policy, ...operation, ...ofRuns });
  const { signingKeys, signJobs } = createSigningKeys(platform, operation, findMaterial);
  const runDeps = { db, webUrl: addresses.webUrl, mail: operation.mail, logger, signJobs, ...config.queue };
  handleIntents({ config, platform, policy, ...ofRuns });
  const runners = createRunners(platform, policy);
  followHosting(hosting, platform, { pipelines, removeFiles, ...runners });
  const { logLifecycle, ...ofLogs } = createLogs(config, platform);
  operation.encryptedRecords.addUse(hasLeaseFrom);
  const { jobSecrets, ...handedOut } = createHandedOut(platform, operation, hosting);
  const ofJobs = { logs: ofLogs.logs, config, secrets: jobSecrets, reportReader };
  const { leaseSweeper, ...leasing } = createLeases({ ...platform, ...ofJobs });
  return {
    pipelines,
    ...files,
    scheduledRuns: createScheduledRuns({ ...platform, ...policy, compiler }),
    /** For the workflow that decides each run. */
    runs: createRunService({ ...runDeps, metrics: createRunMetrics(metrics, db) }),
    environments: createEnvironmentService({ db, addresses, rerun: pipelines.rerun }),
    ...createGroups(platform),
    ...createOfMergeRequests({ ...platform, ...policy, ...ofRuns }),
    ...createRunHistory(config, platform, { forkApprovals, ...files }),
    ...handedOut,
    ...ofLogs,
    ...leasing,
    shells: createShells(config, platform, ofLogs.logs.ingest),
    signingKeys,
    ...runners,
    variables: createVariableService({ db }),
    ...createAllowances(config, platform),
    lifecycle: joinLifecycles([
      { close: () => compiler.close() },
      reportReader,
      logLifecycle,
      // From the start of a shutdown: leases must not age while the last server waits for its requests.
      { ...leaseSweeper, drain: leaseSweeper.close },
    ]),
  };
}

function handleIntents({
  config,
  platform,
  policy,
  compiler,
  childMetrics,
}: Pick<PipelinesDeps, "config" | "platform" | "policy"> & {
  compiler: ReturnType<typeof createCompilePool>;
  childMetrics: ChildMetrics;
}): void {
  const { outbox, temporal } = platform;
  outbox.handle(runKey, createRunHandler({ temporal, taskQueue: config.temporal.taskQueue }));
  const child = { ...platform, ...policy, compiler, metrics: childMetrics };
  outbox.handle(childKey, createChildHandler(child));
}

/** What jobs leave behind and find. */
function createFiles(config: Config, platform: Platform) {
  const limits = config.artifacts;
  const {
    removeArtifacts,
    artifactContent: content,
    ...artifacts
  } = createArtifacts({ ...platform, limits, keptDays: shortestOf(config) });
  const { removeCaches, ...caches } = createCaches({ ...platform, limits: config.caches });
  return {
    ...artifacts,
    ...caches,
    ...createReports({ ...platform, content, keptDays: config.reportDays }),
    async removeFiles(repositoryId: string) {
      await removeArtifacts(repositoryId);
      await removeCaches(repositoryId);
    },
  };
}

/** Artifacts do not outlive their runs. */
function shortestOf({ retention }: Config): number | null {
  const days = Math.min(retention.artifacts_days ?? Infinity, retention.runs_days ?? Infinity);
  return Number.isFinite(days) ? days : null;
}

function followHosting(
  hosting: Hosting,
  { db, objects }: Pick<Platform, "db" | "objects">,
  own: {
    pipelines: PipelineService;
    removeFiles: (repositoryId: string) => Promise<void>;
    runnerGroups: RunnerGroupService;
  },
): void {
  const { pipelines, removeFiles, runnerGroups } = own;
  hosting.onTransfer(runnerGroups.forgetRepository);
  hosting.onTransfer(leaveOldOwner);
  hosting.follow({
    pushes: pipelines.pushFollower(),
    deleted: pipelines.cancelAll,
    removeContent: async (repositoryId) => {
      await removeLogs({ db, objects }, repositoryId);
      await removeFiles(repositoryId);
    },
    judged: {
      hasPassed: (repositoryId, sha) => pipelines.hasPassed({ repositoryId, sha }),
      checks: (repositoryId, sha, wanted) => pipelines.checks({ repositoryId, sha }, wanted),
    },
    logBytes: (repositoryId) => sumLogs(db, repositoryId),
  });
}

/** What only the jobs that name it are handed. */
function createHandedOut(platform: Platform, operation: Operation, hosting: Hosting) {
  const { jobSecrets, ...ofSecrets } = createSecrets(platform, operation);
  const { jobIdTokens, ...ofIdTokens } = createIdTokens(platform, operation, hosting);
  return { ...ofSecrets, ...ofIdTokens, jobSecrets: withPrivileges(withIdTokens(jobSecrets, jobIdTokens)) };
}

/** What administrators of the instance allow to pipelines. */
function createAllowances({ runners }: Config, { db }: Platform) {
  return {
    privileges: createPrivilegeService({ db }),
    pipelineLimits: createPipelineLimits({ db, stepLogBytes: runners.stepLogBytes }),
  };
}

function createGroups({ db, addresses, logger, metrics }: Platform) {
  return {
    concurrency: createConcurrencyService({ db, addresses }),
    slotRecovery: createSlotRecovery({ db, logger, metrics }),
  };
}

function createShells(config: Config, { db, metrics, instanceKeys }: Platform, logs: LogIngest) {
  return createShellService({
    db,
    metrics,
    logs,
    signer: instanceKeys.signer("shell_ticket"),
    settings: config.shells,
  });
}

// What other domains and the edges may use.
export { actorOf } from "./compile/template-reader.ts";
export { compareLeases } from "./leases/compare-leases.ts";
export { rawBytes } from "./logs/frame-bytes.ts";
export { claimNames } from "./id-tokens/claims.ts";
export { retryAfterSeconds } from "./logs/open-logs.ts";
export { packFrames } from "./logs/pack-frames.ts";
export { chosen } from "./logs/run-state.ts";
export { startPlace } from "./logs/selection.ts";
export { presentLine } from "./logs/present.ts";
export { hashCredential } from "./runners/credential.ts";
export { createRunnerPresenceCheck } from "./runners/presence-check.ts";
export { createRunnerMetrics } from "./runners/metrics.ts";
export { judgeConnection } from "./runners/connections.ts";
export { runAddress } from "./runs/run-address.ts";
export { spanIdOf, traceIdOf } from "./runs/trace-ids.ts";
export { presentEventRun } from "./runs/present.ts";
export { presentRegistrationToken, presentRunner, presentRunnerWithJobs } from "./runners/present.ts";
export { runnerSettings } from "./runners/settings.ts";
export type { BadgeService } from "./badges/service.ts";
export type { ArtifactDownload, ArtifactService } from "./artifacts/service.ts";
export type { ArtifactUploads } from "./artifacts/uploads.ts";
export type { NeededArtifacts } from "./artifacts/needed.ts";
export type { IdTokenKeyService } from "./id-tokens/key-service.ts";
export type { SigningKeys as IdTokenKeys } from "./id-tokens/signing-keys.ts";
export type { CacheService } from "./caches/service.ts";
export type { JobCaches } from "./caches/job-caches.ts";
export type { ConcurrencyService } from "./concurrency/service.ts";
export type { EnvironmentService } from "./environments/service.ts";
export type { Leasing } from "./leases/create-leases.ts";
export type { Dispatcher } from "./leases/dispatcher.ts";
export type { LeaseVerdict } from "./leases/lease-verdict.ts";
export type { CancelColumn, StoredLease, LeaseName } from "./leases/leases.ts";
export type { RunnerOffers } from "./leases/runner-offers.ts";
export type { LeaseService } from "./leases/service.ts";
export type { LogIngest } from "./logs/ingest.ts";
export type { LogObjectsCheck } from "./logs/objects-check.ts";
export type { OpenLogs } from "./logs/open-logs.ts";
export type { RunNode, RunOutcome, RunStates, RunStream, StreamFilter } from "./logs/run-state.ts";
export type { LogSelection, Place } from "./logs/selection.ts";
export type { LogService } from "./logs/service.ts";
export type { TicketService } from "./logs/tickets.ts";
export type { LogSearch } from "./logs/search/service.ts";
export type { LogView, PlacedLine } from "./logs/view.ts";
export type {
  ConnectedRunner,
  RunnerConnection,
  ConnectionState,
  RunnerConnections,
} from "./runners/connections.ts";
export type { CoverageService } from "./reports/coverage-service.ts";
export type { TestService } from "./reports/tests-service.ts";
export type { RetentionService } from "./retention/service.ts";
export type { PipelineLimitService } from "./pipeline-limits/service.ts";
export type { PrivilegeService } from "./privileges/service.ts";
export type { MergeQueueRuns, TestedCommit } from "./merge-request-runs/queue-runs.ts";
export type { MergeRequestRuns } from "./merge-request-runs/service.ts";
export type { TrustedAuthorService } from "./trusted-authors/service.ts";
export type { ReportService } from "./reports/service.ts";
export type { RunnerMetrics } from "./runners/metrics.ts";
export type { RunnerDemandService } from "./runners/demand.ts";
export type { RunnerGroupService } from "./runner-groups/service.ts";
export type { RunnerService } from "./runners/service.ts";
export type { RunnerIntervals, RunnerSettings } from "./runners/settings.ts";
export type { StepReport } from "./runs/attempt-events.ts";
export type { RecoveredRun, RunRecovery } from "./runs/recover-run.ts";
export type { PipelineService } from "./runs/service.ts";
export type { SecretService, StoredSecret } from "./secrets/service.ts";
export type { ListedSchedules, ScheduledRuns } from "./runs/scheduled-runs.ts";
export type { RunSnapshot } from "./runs/run-events.ts";
export type { TracedRun, TracedRuns } from "./runs/traced-run.ts";
export type { RunExport } from "./runs/export-runs.ts";
export type { OrganizationExport } from "./runs/export-organization.ts";
export type { RunStatistics } from "./run-statistics/service.ts";
export type { CredentialService } from "./secrets/credentials.ts";
export type { SigningKeyService } from "./signing-keys/service.ts";
export type { RunService } from "./runs/workflow-service.ts";
export type { JobKeeping } from "./runs/keep-open.ts";
export type { ShellRecorder } from "./shells/recorder.ts";
export type { ShellEnd, ShellService, Side as ShellSide } from "./shells/service.ts";
export type { VariableService } from "./variables/service.ts";
