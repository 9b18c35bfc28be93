/** Makes the runner hub of a server process and puts it behind its address. */
import { randomBytes } from "node:crypto";
import type { Registry } from "prom-client";
import type { Database } from "../../platform/db/database.ts";
import type { LogIngest } from "../../domains/pipelines/logs/ingest.ts";
import { createRunnerMetrics } from "../../domains/pipelines/runners/metrics.ts";
import { runnerSettings, type RunnerIntervals } from "../../domains/pipelines/runners/settings.ts";
import type { UpgradeRegistry } from "../http/upgrade.ts";
import type { Addresses } from "../../platform/addresses.ts";
import type { InstanceKey } from "../../platform/instance-key.ts";
import type { Logger } from "../../platform/logger.ts";
import { createRunnerHub, type RunnerHub } from "./hub.ts";
import { registerRunnerSocket } from "./upgrade.ts";

export interface RunnerDoorDeps {
  db: Database;
  logger: Logger;
  logs: { ingest: LogIngest };
  addresses: Addresses;
  instanceKey: InstanceKey;
  metrics: Registry;
  serverName: string;
  config: { runners: RunnerIntervals };
}

/** The hub has begun to offer jobs and to sweep leases; end it with `stop()`. */
export function openRunnerDoor(upgrades: UpgradeRegistry, deps: RunnerDoorDeps): RunnerHub {
  const metrics = createRunnerMetrics(deps.metrics, deps.db);
  const hub = createRunnerHub({
    db: deps.db,
    logger: deps.logger,
    logs: deps.logs.ingest,
    settings: runnerSettings(deps.config.runners),
    addresses: deps.addresses,
    jobTokenKey: deps.instanceKey.derive("job_token"),
    metrics,
    serverId: `${deps.serverName}-${randomBytes(6).toString("hex")}`,
  });
  registerRunnerSocket(upgrades, { db: deps.db, hub, metrics });
  hub.start();
  return hub;
}
