/** Opens what a process stands on: the database, Git, object storage, Temporal and the ways out. It knows no noun of ours. */
import type { KeyringSettings } from "@forgeline/keyring/open-keyring.ts";
import type { Config } from "../config/config.ts";
import { bodyLimits } from "../config/request.ts";
import { createAddresses } from "./addresses.ts";
import { systemClock } from "./clock.ts";
import { createCountsOnCommit } from "./db/counts-on-commit.ts";
import { createDatabase, type Database } from "./db/database.ts";
import { openGeo } from "./geo.ts";
import { createGitStore } from "./git/storage/create-git-store.ts";
import { createBodyMemory } from "./http/body-memory.ts";
import { createIdempotency } from "./http/idempotency.ts";
import { openInstanceKeys } from "./keys/instance-keys.ts";
import { joinLifecycles } from "./lifecycle.ts";
import { createLogger } from "./logger.ts";
import { createMetrics, observePool } from "./metrics.ts";
import { openObjectStore } from "./objects/open-object-store.ts";
import { openOutbound } from "./outbound/outbound.ts";
import { createRelay } from "./outbox/relay.ts";
import { openLiveProcesses } from "./live-processes.ts";
import type { ProcessStarter } from "./processes/process-starter.ts";
import { loadHostKeys } from "./ssh/host-keys.ts";
import { createTemporal } from "./temporal.ts";

export type Role = "server" | "worker" | "command";

/** What a process says of itself beside the configuration. */
export interface PlatformOptions {
  role: Role;
  /** The port really in use, where a free one is requested. */
  httpsPort?: number | undefined;
  /** As `httpsPort`. */
  sshPort?: number | undefined;
  /** What starts Git; one of its own where none is given. It is closed with the rest. */
  starter?: ProcessStarter;
}

export type Platform = Awaited<ReturnType<typeof openPlatform>>;

/** Throws where a file of the configuration cannot be read. A database or Temporal that is away is waited for by whoever uses it. */
export async function openPlatform(config: Config, options: PlatformOptions) {
  const { role, starter } = options;
  const basics = createBasics(config, options);
  const { logger, metrics } = basics;
  const instanceKeys = await openInstanceKeys(keyringSettings(config), logger);
  const db = openDatabase(config, basics);
  const idempotency = createIdempotency(db);
  const presence = await openLiveProcesses(config.dataDir);
  const { close: closeGit, ...ofGit } = createGitStore(config, metrics, { instanceKeys, presence, starter });
  const objects = openObjectStore(config.objectStore);
  const temporal = createTemporal(config.temporal);
  const outbox = createRelay({ db, logger, registry: metrics });
  return {
    ...basics,
    instanceKeys,
    locate: await openGeo(role === "command" ? undefined : config.geoipFile),
    db,
    /** For callers that must not use anything else of it. Rejects when it cannot be reached. */
    pingDatabase: () => db.ping(),
    idempotency,
    outbox,
    presence,
    ...ofGit,
    objects,
    temporal,
    outbound: await openOutbound(config.outbound, logger),
    bodies: createBodyMemory(bodyLimits, metrics),
    sshHostKeys: role === "server" ? await loadHostKeys(config) : null,
    lifecycle: joinLifecycles([
      db,
      { close: () => presence.close() },
      { close: () => instanceKeys.close() },
      { close: closeGit },
      { close: () => temporal.close() },
      { start: () => outbox.start(), close: () => outbox.stop() },
      { close: () => objects.close() },
    ]),
  };
}

function keyringSettings({ keys }: Config): KeyringSettings {
  return { ...keys, environment: keys.environment?.reveal() };
}

/** What needs nothing to be opened. */
function createBasics(config: Config, { role, httpsPort, sshPort }: PlatformOptions) {
  const serverName = config.serverName ?? `${role}-${process.pid}`;
  return {
    role,
    serverName,
    logger: createLogger({ name: serverName, level: config.logLevel }),
    clock: systemClock,
    metrics: createMetrics(),
    addresses: createAddresses(config, {
      https: httpsPort ?? config.httpsPort,
      ssh: sshPort ?? config.sshPort,
    }),
  };
}

function openDatabase({ database }: Config, basics: ReturnType<typeof createBasics>): Database {
  const { role, serverName, logger, metrics } = basics;
  const db = createDatabase({
    url: database.url.reveal(),
    poolSize: role === "command" ? 2 : database.poolSize,
    applicationName: `forgeline-${serverName}`,
    logger,
    counts: createCountsOnCommit(metrics),
  });
  observePool(metrics, db);
  return db;
}
