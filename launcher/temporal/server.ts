/** The embedded Temporal server: schema, configuration, process, and the namespace that we use. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Connection } from "@temporalio/client";
import { freeLowPort } from "../free-port.ts";
import { CommandError, run } from "../run.ts";
import { supervise, type ProcessObserver, type SupervisedProcess } from "../supervisor.ts";
import { waitFor, type WaitOptions } from "../wait-for.ts";
import type { TemporalPrograms } from "./find.ts";
import { renderDynamicConfig, renderServerConfig, type TemporalPorts } from "./server-config.ts";

export interface TemporalServer {
  process: SupervisedProcess;
  /** host:port of the front end. */
  address: string;
}

export interface TemporalOptions {
  programs: TemporalPrograms;
  /** Directory for the configuration files. */
  directory: string;
  postgresPort: number;
  password: string;
  ports: TemporalPorts;
  env: NodeJS.ProcessEnv;
  observer: ProcessObserver;
  /** Ends the start; rejects with its reason, and nothing runs. */
  signal?: AbortSignal | undefined;
}

export async function pickTemporalPorts(): Promise<TemporalPorts> {
  return {
    frontend: await freeLowPort(),
    frontendHttp: await freeLowPort(),
    frontendMembership: await freeLowPort(),
    history: await freeLowPort(),
    historyMembership: await freeLowPort(),
    matching: await freeLowPort(),
    matchingMembership: await freeLowPort(),
    worker: await freeLowPort(),
    workerMembership: await freeLowPort(),
  };
}

export async function startTemporal(options: TemporalOptions): Promise<TemporalServer> {
  await ensureSchema(options, "temporal", "postgresql/v12/temporal");
  await ensureSchema(options, "temporal_visibility", "postgresql/v12/visibility");
  await mkdir(options.directory, { recursive: true, mode: 0o700 });
  const configFile = join(options.directory, "server.yaml");
  const dynamicConfigFile = join(options.directory, "dynamic.yaml");
  await writeFile(dynamicConfigFile, renderDynamicConfig());
  const config = renderServerConfig({
    ports: options.ports,
    postgresPort: options.postgresPort,
    password: options.password,
    dynamicConfigFile,
  });
  await writeFile(configFile, config, { mode: 0o600 });
  const process = supervise({
    name: "temporal",
    command: options.programs.server,
    args: ["--config-file", configFile, "--allow-no-auth", "start"],
    env: { PATH: options.env["PATH"], HOME: options.directory },
    stopTimeoutMs: 10_000,
    observer: options.observer,
  });
  const address = `127.0.0.1:${options.ports.frontend}`;
  const wait = { what: "Temporal's start", timeoutMs: 90_000, signal: options.signal };
  await ensureNamespace(address, wait).catch(async (error: unknown) => {
    await process.stop();
    throw error;
  });
  return { process, address };
}

/** Creates the database and brings its schema up to date; a database that is current is left as it is. */
async function ensureSchema(options: TemporalOptions, database: string, schema: string): Promise<void> {
  const connection = [
    "--plugin",
    "postgres12",
    "--endpoint",
    "127.0.0.1",
    "--port",
    String(options.postgresPort),
    "--user",
    "temporal",
    "--database",
    database,
  ];
  // The tool reads the password from the environment, so that it stands in no process list.
  const env = { PATH: options.env["PATH"], SQL_PASSWORD: options.password };
  const tool = (...args: string[]) =>
    run(options.programs.sqlTool, [...connection, ...args], { env, signal: options.signal });
  const isNew = await tool("create-database").then(
    () => true,
    (error: unknown) => {
      if (error instanceof CommandError && error.output.includes("already exists")) return false;
      throw error;
    },
  );
  if (isNew) await tool("setup-schema", "--version", "0.0");
  await tool("update-schema", "--schema-name", schema);
}

/** Waits for the front end, then makes the namespace `default` unless it is there; it keeps histories for 3 days. */
export async function ensureNamespace(address: string, wait: Omit<WaitOptions, "intervalMs">): Promise<void> {
  const retention = { seconds: 3 * 24 * 3600 };
  await waitFor(
    async () => {
      const connection = await Connection.connect({ address, connectTimeout: 2000 });
      try {
        const { namespaces } = await connection.workflowService.listNamespaces({});
        if (namespaces?.some((n) => n.namespaceInfo?.name === "default"))
          return await namespaceIsServed(connection);
        await connection.workflowService.registerNamespace({
          namespace: "default",
          workflowExecutionRetentionPeriod: retention as never,
        });
        return undefined;
      } finally {
        await connection.close();
      }
    },
    { ...wait, intervalMs: 200 },
  );
}

/** Rejects while the server does not serve our namespace. */
export async function temporalAnswers(address: string): Promise<true> {
  const connection = await Connection.connect({ address, connectTimeout: 2000 });
  try {
    return await namespaceIsServed(connection);
  } finally {
    await connection.close();
  }
}

/** A new namespace reaches every part of the server only after its cache has been read again. */
async function namespaceIsServed(connection: Connection): Promise<true> {
  await connection.workflowService.listOpenWorkflowExecutions({ namespace: "default", maximumPageSize: 1 });
  await connection.workflowService.describeTaskQueue({
    namespace: "default",
    taskQueue: { name: "forgeline-probe" },
  });
  return true;
}
