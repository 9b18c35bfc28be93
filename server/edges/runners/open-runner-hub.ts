/** Creates the runner hub of a server process and binds it to its address. */
import type { Registry } from "prom-client";
import {
  type LogIngest,
  type Leasing,
  createRunnerMetrics,
  runnerSettings,
  type RunnerDemandService,
  type RunnerIntervals,
  type ShellService,
} from "../../domains/pipelines/domain.ts";
import type { UpgradeRegistry } from "../http/upgrade.ts";
import type { Logger } from "../../platform/logger.ts";
import { createRunnerHub, type RunnerHub } from "./hub.ts";
import { registerRunnerSocket, type RunnerShells } from "./upgrade.ts";

export interface RunnerHubDeps extends Leasing {
  logger: Logger;
  logs: { ingest: LogIngest };
  metrics: Registry;
  runnerDemand: RunnerDemandService;
  config: { runners: RunnerIntervals };
  shells: ShellService;
  shellHub: RunnerShells;
}

/** Not started yet. */
export function openRunnerHub(upgrades: UpgradeRegistry, deps: RunnerHubDeps): RunnerHub {
  const { leases, runnerConnections: connections } = deps;
  const metrics = createRunnerMetrics(deps.metrics, { leases, connections, demand: deps.runnerDemand });
  const hub = createRunnerHub({
    logger: deps.logger,
    logs: deps.logs.ingest,
    leases,
    connections,
    dispatcher: deps.createDispatcher(metrics),
    settings: runnerSettings(deps.config.runners),
    metrics,
    shells: deps.shells,
  });
  registerRunnerSocket(upgrades, { connections, hub, metrics, shells: deps.shellHub });
  return hub;
}
