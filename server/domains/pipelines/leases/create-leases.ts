/** Leases, the places of the runners that hold them, and what looks after both, for one process. */
import { randomBytes } from "node:crypto";
import type { Addresses } from "../../../platform/addresses.ts";
import type { Database } from "../../../platform/db/database.ts";
import type { InstanceKey } from "../../../platform/instance-key.ts";
import type { Logger } from "../../../platform/logger.ts";
import type { LogIngest } from "../logs/ingest.ts";
import { createRunnerConnections, type RunnerConnections } from "../runners/connections.ts";
import { runnerSettings, type RunnerIntervals } from "../runners/settings.ts";
import { createLeaseService, type LeaseService } from "./service.ts";
import { createSweeper, type Sweeper } from "./sweeper.ts";

export interface Leasing {
  leases: LeaseService;
  runnerConnections: RunnerConnections;
  /** Not started: a process that runners connect to sweeps. */
  leaseSweeper: Sweeper;
}

export function createLeases(deps: {
  db: Database;
  logger: Logger;
  logs: { ingest: LogIngest };
  addresses: Addresses;
  instanceKey: InstanceKey;
  serverName: string;
  config: { runners: RunnerIntervals };
}): Leasing {
  const { db, logger, addresses } = deps;
  const logs = deps.logs.ingest;
  const settings = runnerSettings(deps.config.runners);
  const jobTokenKey = deps.instanceKey.derive("job_token");
  // Names this process among the API servers.
  const serverId = `${deps.serverName}-${randomBytes(6).toString("hex")}`;
  return {
    leases: createLeaseService({ db, logs, addresses, jobTokenKey, settings }),
    runnerConnections: createRunnerConnections(db, serverId),
    leaseSweeper: createSweeper({ db, logger, logs, settings, serverId }),
  };
}
