/** The ports of one instance: picked at its first start and kept, so that addresses survive a restart. */
import type { LauncherConfig } from "./config.ts";
import { freeLowPort, portIsFree } from "./free-port.ts";
import { readOrCreate, writeJson, type HomePaths } from "./home.ts";
import { pickTemporalPorts } from "./temporal/server.ts";
import type { TemporalPorts } from "./temporal/server-config.ts";

export interface InstancePorts {
  https: number;
  http: number;
  ssh: number;
  metrics: number;
  workerMetrics: number;
  postgres: number;
  temporal: TemporalPorts;
}

export async function choosePorts(paths: HomePaths, config: LauncherConfig): Promise<InstancePorts> {
  const kept = await readOrCreate<InstancePorts>(paths, "ports.json", async () => ({
    https: 0,
    http: 0,
    ssh: 0,
    metrics: await freeLowPort(),
    workerMetrics: await freeLowPort(),
    postgres: await freeLowPort(),
    temporal: await pickTemporalPorts(),
  }));
  const ports = {
    ...kept,
    https: await publicPort("FORGELINE_HTTPS_PORT", config.httpsPort, kept.https),
    http: await publicPort("FORGELINE_HTTP_PORT", config.httpPort, kept.http),
    ssh: await publicPort("FORGELINE_SSH_PORT", config.sshPort, kept.ssh),
    metrics: await sameOrNew(kept.metrics),
    workerMetrics: await sameOrNew(kept.workerMetrics),
    postgres: await sameOrNew(kept.postgres),
    temporal: (await portIsFree(kept.temporal.frontend)) ? kept.temporal : await pickTemporalPorts(),
  };
  await writeJson(paths, "ports.json", ports);
  return ports;
}

/** A wish of 0 means any free one, the same as last time if possible. A taken port is an error that names the setting. */
async function publicPort(setting: string, wished: number, kept: number): Promise<number> {
  if (wished === 0) return kept === 0 ? freeLowPort() : sameOrNew(kept);
  if (await portIsFree(wished)) return wished;
  throw new Error(
    `port ${wished} is taken by another program; set ${setting} to another port, or to 0 for any free one`,
  );
}

async function sameOrNew(port: number): Promise<number> {
  return port !== 0 && (await portIsFree(port)) ? port : freeLowPort();
}
