/** The Temporal of an instance: a process of its own on the same PostgreSQL, or the one that `TEMPORAL_ADDRESS` names. */
import type { LauncherConfig } from "./config.ts";
import type { HomeSecrets } from "./home.ts";
import type { InstancePorts } from "./instance-ports.ts";
import { observeProcess, type ObserverOptions } from "./process-observer.ts";
import type { InstanceFacts } from "./server-processes.ts";
import type { SupervisedProcess } from "./supervisor.ts";
import { findTemporal, type TemporalPrograms } from "./temporal/find.ts";
import { ensureNamespace, startTemporal, temporalAnswers } from "./temporal/server.ts";

export interface TemporalContext extends Pick<ObserverOptions, "console" | "signal"> {
  config: LauncherConfig;
}

/** Undefined where Temporal runs elsewhere. May take minutes on a fresh machine. */
export async function findRunningTemporal({
  config,
  console,
  signal,
}: TemporalContext): Promise<TemporalPrograms | undefined> {
  if (config.temporalAddress !== undefined) return undefined;
  const say = (text: string) => console.say("temporal", text);
  return findTemporal({ cache: config.cache, env: config.inherited, say, signal });
}

export function localTemporalAddress(ports: InstancePorts): string {
  return `127.0.0.1:${ports.temporal.frontend}`;
}

/** Starts it with `programs`; without them waits for the one elsewhere. */
export async function readyTemporal(
  facts: InstanceFacts,
  { secrets, programs }: { secrets: HomeSecrets; programs: TemporalPrograms | undefined },
  processes: SupervisedProcess[],
): Promise<void> {
  const { config, paths, ports, console, signal, temporalAddress } = facts;
  if (!programs) return foreignTemporal(facts);
  console.say("temporal", "starting");
  const probe = () => temporalAnswers(temporalAddress);
  const temporal = await startTemporal({
    programs,
    directory: paths.temporal,
    postgresPort: ports.postgres,
    password: secrets.postgres.temporal,
    ports: ports.temporal,
    env: config.inherited,
    observer: await observeProcess(facts, "temporal", probe),
    signal,
  });
  processes.push(temporal.process);
  console.ready("temporal", `ready on ${temporal.address}, on the same PostgreSQL`);
}

async function foreignTemporal({ temporalAddress, console, signal }: InstanceFacts): Promise<void> {
  await ensureNamespace(temporalAddress, {
    what: `an answer of TEMPORAL_ADDRESS (${temporalAddress})`,
    timeoutMs: 20_000,
    signal,
  });
  console.ready("temporal", `ready: ${temporalAddress}, from TEMPORAL_ADDRESS`);
}
