/** Wires for one process: leases, the connections of runners, the dispatcher and the sweeper. */
import { randomBytes } from "node:crypto";
import type { Addresses } from "../../../platform/addresses.ts";
import type { Database } from "../../../platform/db/database.ts";
import type { InstanceKeys } from "../../../platform/keys/instance-keys.ts";
import type { Logger } from "../../../platform/logger.ts";
import type { LogIngest } from "../logs/ingest.ts";
import type { ReportReader } from "../reports/reader.ts";
import type { JobSecrets } from "../secrets/job-secrets.ts";
import type { ShellSettings } from "../../../config/shells.ts";
import { createRunnerConnections, type RunnerConnections } from "../runners/connections.ts";
import type { RunnerMetrics } from "../runners/metrics.ts";
import { runnerSettings, type RunnerIntervals } from "../runners/settings.ts";
import { createDispatcher, type Dispatcher } from "./dispatcher.ts";
import { createLeaseService, type LeaseService } from "./service.ts";
import { createSweeper, type Sweeper } from "./sweeper.ts";

export interface Leasing {
  leases: LeaseService;
  runnerConnections: RunnerConnections;
  /** For a server that runners connect to; not started. */
  createDispatcher(metrics: RunnerMetrics): Dispatcher;
}

export function createLeases(deps: {
  db: Database;
  logger: Logger;
  logs: { ingest: LogIngest };
  addresses: Addresses;
  instanceKeys: Pick<InstanceKeys, "derived">;
  secrets: JobSecrets;
  reportReader: ReportReader;
  serverName: string;
  config: { runners: RunnerIntervals; shells: ShellSettings; traces: object | undefined };
}): Leasing & { leaseSweeper: Sweeper } {
  const { db, logger, addresses } = deps;
  const logs = deps.logs.ingest;
  const settings = runnerSettings(deps.config.runners);
  const jobTokenKeys = () => deps.instanceKeys.derived("job_token");
  // Names this process among the API servers.
  const serverId = `${deps.serverName}-${randomBytes(6).toString("hex")}`;
  const leases = createLeaseService({
    db,
    logs,
    addresses,
    secrets: deps.secrets,
    reportReader: deps.reportReader,
    jobTokenKeys,
    traced: deps.config.traces !== undefined,
    settings: { ...settings, keepOpenMs: deps.config.shells.keepOpenMs },
  });
  return {
    leases,
    runnerConnections: createRunnerConnections(db, serverId),
    createDispatcher: (metrics) => createDispatcher({ logger, leases, settings, metrics }),
    leaseSweeper: createSweeper({ db, logger, logs, settings, serverId }),
  };
}
