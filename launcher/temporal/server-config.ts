/** The configuration of an embedded Temporal server: one process, all services, on loopback, on our PostgreSQL. */

export interface TemporalPorts {
  frontend: number;
  frontendHttp: number;
  frontendMembership: number;
  history: number;
  historyMembership: number;
  matching: number;
  matchingMembership: number;
  worker: number;
  workerMembership: number;
}

export interface TemporalServerSettings {
  ports: TemporalPorts;
  postgresPort: number;
  password: string;
  /** Absolute path of the dynamic configuration file. */
  dynamicConfigFile: string;
}

/** JSON is YAML, and needs no quoting rules of our own. */
export function renderServerConfig(settings: TemporalServerSettings): string {
  const { ports } = settings;
  const store = (databaseName: string, connections: number) => ({
    sql: {
      pluginName: "postgres12",
      databaseName,
      connectAddr: `127.0.0.1:${settings.postgresPort}`,
      connectProtocol: "tcp",
      user: "temporal",
      password: settings.password,
      maxConns: connections,
      maxIdleConns: connections,
      maxConnLifetime: "1h",
    },
  });
  const service = (grpcPort: number, membershipPort: number, extra: object = {}) => ({
    rpc: { grpcPort, membershipPort, bindOnLocalHost: true, ...extra },
  });
  return JSON.stringify(
    {
      log: { stdout: true, level: "warn" },
      persistence: {
        defaultStore: "main",
        visibilityStore: "visibility",
        // Few shards, for good: each costs memory and polling, and one machine starts some tens of workflows a second. Temporal
        // keeps the number that it began with, so another one here would be for new instances alone.
        numHistoryShards: 4,
        datastores: { main: store("temporal", 20), visibility: store("temporal_visibility", 4) },
      },
      global: { membership: { maxJoinDuration: "30s", broadcastAddress: "127.0.0.1" } },
      services: {
        frontend: service(ports.frontend, ports.frontendMembership, { httpPort: ports.frontendHttp }),
        history: service(ports.history, ports.historyMembership),
        matching: service(ports.matching, ports.matchingMembership),
        worker: service(ports.worker, ports.workerMembership),
      },
      clusterMetadata: {
        enableGlobalNamespace: false,
        failoverVersionIncrement: 10,
        masterClusterName: "active",
        currentClusterName: "active",
        clusterInformation: {
          active: {
            enabled: true,
            initialFailoverVersion: 1,
            rpcName: "frontend",
            rpcAddress: `127.0.0.1:${ports.frontend}`,
          },
        },
      },
      dcRedirectionPolicy: { policy: "noop" },
      archival: { history: { state: "disabled" }, visibility: { state: "disabled" } },
      namespaceDefaults: { archival: { history: { state: "disabled" }, visibility: { state: "disabled" } } },
      dynamicConfigClient: { filepath: settings.dynamicConfigFile, pollInterval: "60s" },
    },
    null,
    2,
  );
}

/** One partition: with few pollers, more of them only make tasks and pollers miss each other. */
export function renderDynamicConfig(): string {
  return JSON.stringify({
    "matching.numTaskqueueReadPartitions": [{ value: 1, constraints: {} }],
    "matching.numTaskqueueWritePartitions": [{ value: 1, constraints: {} }],
    "frontend.enableUpdateWorkflowExecution": [{ value: true, constraints: {} }],
    "system.enableEagerWorkflowStart": [{ value: true, constraints: {} }],
  });
}
