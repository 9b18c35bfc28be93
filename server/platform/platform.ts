/** Opens what a process stands on: the database, Git, object storage, Temporal and the ways out. It knows no noun of ours. */
import type { Config } from "../config/config.ts";
import { bodyLimits } from "../config/request.ts";
import { createAddresses } from "./addresses.ts";
import { systemClock } from "./clock.ts";
import { createDatabase } from "./db/database.ts";
import { openGeo } from "./geo.ts";
import { createGitStore } from "./git/storage/create-git-store.ts";
import { createBodyRoom } from "./http/body-room.ts";
import { createIdempotency } from "./http/idempotency.ts";
import { loadInstanceKey } from "./instance-key.ts";
import { joinLifecycles } from "./lifecycle.ts";
import { createLogger } from "./logger.ts";
import { createMetrics, observePool } from "./metrics.ts";
import { openObjectStore } from "./objects/open-object-store.ts";
import { openOutbound } from "./outbound/outbound.ts";
import { createRelay } from "./outbox/relay.ts";
import { openPresence } from "./presence.ts";
import type { ProcessStarter } from "./processes/process-starter.ts";
import { loadHostKeys } from "./ssh/host-keys.ts";
import { createTemporal } from "./temporal.ts";

export type Role = "server" | "worker" | "command";

/** What a process says of itself beside the configuration. */
export interface PlatformOptions {
  role: Role;
  /** The port really in use, where a free one is asked for. */
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
  const serverName = config.serverName ?? `${role}-${process.pid}`;
  const logger = createLogger({ name: serverName, level: config.logLevel });
  const metrics = createMetrics();
  const addresses = createAddresses(config, {
    https: options.httpsPort ?? config.httpsPort,
    ssh: options.sshPort ?? config.sshPort,
  });
  const instanceKey = await loadInstanceKey(config.keyFile);
  const db = createDatabase({
    url: config.database.url.reveal(),
    poolSize: role === "command" ? 2 : config.database.poolSize,
    applicationName: `forgeline-${serverName}`,
    logger,
  });
  observePool(metrics, db);
  const idempotency = createIdempotency(db);
  const presence = await openPresence(config.dataDir);
  const gitStore = createGitStore(config, metrics, { instanceKey, presence, starter });
  const { git, storage, files, history, catFiles, exchanges } = gitStore;
  const objects = openObjectStore(config.objectStore);
  const temporal = createTemporal(config.temporal);
  const { taskQueue } = config.temporal;
  const relay = createRelay({ db, temporal, taskQueue, logger, registry: metrics });
  return {
    role,
    serverName,
    logger,
    clock: systemClock,
    metrics,
    addresses,
    instanceKey,
    locate: await openGeo(role === "command" ? undefined : config.geoipFile),
    db,
    /** For who must not ask it for more. Rejects when it cannot be reached. */
    pingDatabase: () => db.ping(),
    idempotency,
    presence,
    git,
    storage,
    files,
    history,
    catFiles,
    exchanges,
    objects,
    temporal,
    outbound: await openOutbound(config.outbound, logger),
    bodies: createBodyRoom(bodyLimits, metrics),
    sshHostKeys: role === "server" ? await loadHostKeys(config) : null,
    lifecycle: joinLifecycles([
      db,
      idempotency,
      { close: () => presence.close() },
      { close: () => gitStore.close() },
      { close: () => temporal.close() },
      { start: () => relay.start(), close: () => relay.stop() },
      { close: () => objects.close() },
    ]),
  };
}
