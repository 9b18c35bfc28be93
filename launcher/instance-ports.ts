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

const usual = { http: 8080, ssh: 2222 } as const;

/** Rejects when a port that was asked for, or the usual HTTPS one, is taken. */
export async function choosePorts(
  { paths, config, listen }: { paths: HomePaths; config: LauncherConfig; listen: readonly string[] },
  say: (text: string) => void,
): Promise<InstancePorts> {
  const kept = await readOrCreate<InstancePorts>(paths, "ports.json", async () => ({
    https: 0,
    http: 0,
    ssh: 0,
    metrics: await freeLowPort(),
    workerMetrics: await freeLowPort(),
    postgres: await freeLowPort(),
    temporal: await pickTemporalPorts(),
  }));
  const isFree = (port: number) => freeOnAll(port, listen);
  const side = async (name: "http" | "ssh", setting: string) => {
    const wished = config[`${name}Port`];
    if (wished !== undefined) return publicPort(setting, { wished, kept: kept[name] }, isFree);
    if (await isFree(usual[name])) return usual[name];
    const other = await sameOrNew(kept[name], isFree);
    say(`${usual[name]} is taken by another program: ${setting} is ${other} here`);
    return other;
  };
  const ports = {
    ...kept,
    https: await publicPort("FORGELINE_HTTPS_PORT", { wished: config.httpsPort, kept: kept.https }, isFree),
    http: await side("http", "FORGELINE_HTTP_PORT"),
    ssh: await side("ssh", "FORGELINE_SSH_PORT"),
    metrics: await sameOrNew(kept.metrics),
    workerMetrics: await sameOrNew(kept.workerMetrics),
    postgres: await sameOrNew(kept.postgres),
    temporal: (await allFree(kept.temporal)) ? kept.temporal : await pickTemporalPorts(),
  };
  await writeJson(paths, "ports.json", ports);
  return ports;
}

/**
 * Rejects as `choosePorts` would for a port that was asked for and is taken, before anything that takes time. Addresses that cannot be
 * listened on yet, such as that of a Docker bridge, are left to `choosePorts`.
 */
export async function refuseTakenPorts(config: LauncherConfig): Promise<void> {
  const { httpsPort, httpPort, sshPort, listen = ["127.0.0.1"] } = config;
  const isFree = (port: number) => freeOnAll(port, listen).catch(() => true);
  const asked = {
    FORGELINE_HTTPS_PORT: httpsPort,
    FORGELINE_HTTP_PORT: httpPort,
    FORGELINE_SSH_PORT: sshPort,
  };
  for (const [setting, port] of Object.entries(asked))
    if (port !== undefined && port !== 0 && !(await isFree(port))) throw takenPort(setting, port);
}

function takenPort(setting: string, port: number): Error {
  return new Error(
    `port ${port} is taken by another program; set ${setting} to another port, or to 0 for any free one`,
  );
}

type IsFree = (port: number) => Promise<boolean>;

/** A wish of 0 means any free one, the same as last time if possible. A taken port is an error that names the setting. */
async function publicPort(
  setting: string,
  { wished, kept }: { wished: number; kept: number },
  isFree: IsFree,
): Promise<number> {
  if (wished === 0) return sameOrNew(kept, isFree);
  if (await isFree(wished)) return wished;
  throw takenPort(setting, wished);
}

async function sameOrNew(port: number, isFree: IsFree = portIsFree): Promise<number> {
  if (port !== 0 && (await isFree(port))) return port;
  for (let tries = 0; tries < 20; tries++) {
    const other = await freeLowPort();
    if (await isFree(other)) return other;
  }
  throw new Error("no port is free on all listen addresses");
}

async function freeOnAll(port: number, listen: readonly string[]): Promise<boolean> {
  for (const host of listen) if (!(await portIsFree(port, host))) return false;
  return true;
}

async function allFree(ports: TemporalPorts): Promise<boolean> {
  for (const port of Object.values(ports)) if (!(await portIsFree(port as number))) return false;
  return true;
}
