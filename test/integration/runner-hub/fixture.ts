/** Runner hubs as separate API servers would have them, on one database, behind real TLS. */
import { noShells } from "../../support/no-shells.ts";
import { readFile } from "node:fs/promises";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Registry } from "prom-client";
import { ensureCertificates } from "@forgeline/launcher/certificates.ts";
import type { PlanJob } from "@forgeline/schemas/pipeline-file/plan.ts";
import { createDatabase } from "@forgeline/server/platform/db/database.ts";
import { migrate } from "@forgeline/server/platform/db/migrate.ts";
import { createIdentityService } from "@forgeline/server/domains/accounts/identity/service.ts";
import { createLogService } from "@forgeline/server/domains/pipelines/logs/service.ts";
import { createFileStore } from "@forgeline/server/platform/objects/file-store.ts";
import { createLeaseService } from "@forgeline/server/domains/pipelines/leases/service.ts";
import { createDispatcher } from "@forgeline/server/domains/pipelines/leases/dispatcher.ts";
import { createSweeper } from "@forgeline/server/domains/pipelines/leases/sweeper.ts";
import { createRunnerConnections } from "@forgeline/server/domains/pipelines/runners/connections.ts";
import {
  hashCredential,
  newRunnerCredential,
} from "@forgeline/server/domains/pipelines/runners/credential.ts";
import { createRunnerDemand } from "@forgeline/server/domains/pipelines/runners/demand.ts";
import { createRunnerMetrics } from "@forgeline/server/domains/pipelines/runners/metrics.ts";
import { runnerSettings, type RunnerSettings } from "@forgeline/server/domains/pipelines/runners/settings.ts";
import { createErrorResponder } from "@forgeline/server/platform/http/error-response.ts";
import { createUpgradeRegistry } from "@forgeline/server/edges/http/upgrade.ts";
import { parseAddressRanges } from "@forgeline/server/platform/network/address-ranges.ts";
import { newId } from "@forgeline/server/platform/ids.ts";
import { createLogger } from "@forgeline/server/platform/logger.ts";
import { createCountsOnCommit } from "@forgeline/server/platform/db/counts-on-commit.ts";
import { createRunnerHub, type RunnerHub } from "@forgeline/server/edges/runners/hub.ts";
import { registerRunnerSocket, type RunnerUpgradeDeps } from "@forgeline/server/edges/runners/upgrade.ts";
import { insertAttempt, type QueuedJob } from "./queued-attempt.ts";
import { testJobSecrets } from "../../support/job-secrets.ts";
import { insertScopes, type Scopes } from "./scopes.ts";
import { testDatabase } from "../../support/database.ts";
import { ProtocolRunner, type ProtocolRunnerOptions } from "../../support/protocol-runner.ts";
import { withTexts, type TextDatabase } from "../../support/text-database.ts";

const quiet = createLogger({ name: "test", level: process.env["TEST_LOG_LEVEL"] ?? "silent" });

/** Looked for so seldom that only news moves anything; a test that means the looking says how often. */
const onlyNews = { queuePollMs: 3_600_000, cancelRepeatMs: 3_600_000 };

export interface HubServer {
  hub: RunnerHub;
  url: string;
  registry: Registry;
  /** Handshakes that have come in, however they ended. */
  handshakes(): number;
  /** As a deploy would. */
  stop(): Promise<void>;
}

export interface RunnerKey {
  id: string;
  credential: string;
}

export interface HubFixture {
  db: TextDatabase;
  /** What was counted through `db`. */
  counted: Registry;
  /** Of all servers: the first one makes tokens. */
  jobTokenKeys: [Buffer, ...Buffer[]];
  server(settings?: Partial<RunnerSettings>): Promise<HubServer>;
  repository(): Promise<string>;
  runner(options?: { repositoryId?: string }): Promise<RunnerKey>;
  scopes(): Promise<Scopes>;
  connect(server: HubServer, key: RunnerKey, options?: Partial<ProtocolRunnerOptions>): ProtocolRunner;
  /** A new runner that was greeted. */
  connected(
    server: HubServer,
    options?: Partial<ProtocolRunnerOptions>,
  ): Promise<{ key: RunnerKey; runner: ProtocolRunner }>;
  queue(options?: { repositoryId?: string; labels?: string[]; job?: Partial<PlanJob> }): Promise<QueuedJob>;
  attempt(id: string): Promise<AttemptRow>;
  close(): Promise<void>;
}

export interface AttemptRow {
  state: string;
  status: string;
  reason: string | null;
  epoch: number;
  runner_id: string | null;
  unreachable: boolean;
  begun: boolean;
  cancel: { reason: string; status: string } | null;
  log_complete: boolean | null;
}

export async function hubFixture(): Promise<HubFixture> {
  const database = await testDatabase();
  await migrate(database.ownerUrl);
  const directory = await mkdtemp(join(tmpdir(), "forgeline-hub-"));
  const certificates = await ensureCertificates(directory, ["localhost"]);
  const ca = await readFile(certificates.caFile, "utf8");
  const closing: (() => Promise<void>)[] = [];
  const connectDatabase = (poolSize: number, registry: Registry) => {
    const counts = createCountsOnCommit(registry);
    const opened = withTexts(
      createDatabase({ url: database.url, poolSize, applicationName: "test", logger: quiet, counts }),
    );
    closing.push(() => opened.close());
    return opened;
  };
  const counted = new Registry();
  const db = connectDatabase(6, counted);
  const runners: ProtocolRunner[] = [];
  let numbers = 0;
  const userId = newId("usr");
  await db.query("insert into owners (id, name, kind) values ($1, 'ada', 'user')", [userId]);
  await db.query("insert into users (id, username) values ($1, 'ada')", [userId]);

  const fixture: HubFixture = {
    db,
    counted,
    jobTokenKeys: [Buffer.alloc(32, 7)],
    async server(changes = {}) {
      const registry = new Registry();
      const own = connectDatabase(8, registry);
      const logs = createLogService({
        db: own,
        objects: createFileStore(join(directory, "objects")),
        logger: quiet,
        registry,
      });
      const settings = { ...runnerSettings(), keepOpenMs: 3_600_000, ...onlyNews, ...changes };
      const serverId = `srv_${newId("evt")}`;
      const leases = createLeaseService({
        db: own,
        logs: logs.ingest,
        addresses: { webUrl: "https://localhost:1", jobUrl: "https://host.docker.internal:1" },
        secrets: testJobSecrets,
        reportReader: { wake: () => undefined },
        jobTokenKeys: () => fixture.jobTokenKeys,
        settings,
      });
      const connections = createRunnerConnections(own, serverId);
      const metrics = createRunnerMetrics(registry, { leases, connections, demand: createRunnerDemand(own) });
      const sweeper = createSweeper({ db: own, logger: quiet, logs: logs.ingest, settings, serverId });
      const hub = createRunnerHub({
        logger: quiet,
        logs: logs.ingest,
        leases,
        connections,
        dispatcher: createDispatcher({ logger: quiet, leases, settings, metrics }),
        settings,
        metrics,
        shells: noShells,
      });
      const https = await listen(own, { connections, hub, metrics, shells: noShells }, certificates);
      let handshakes = 0;
      https.on("upgrade", () => (handshakes += 1));
      sweeper.start();
      hub.start();
      let stopped: Promise<void> | undefined;
      const stop = () =>
        (stopped ??= (async () => {
          await hub.drain();
          await sweeper.close();
          https.closeAllConnections();
          await new Promise((resolve) => https.close(resolve));
          await logs.close();
        })());
      closing.unshift(stop);
      const { port } = https.address() as AddressInfo;
      return {
        hub,
        url: `wss://localhost:${port}/api/v1/runners/connect`,
        registry,
        handshakes: () => handshakes,
        stop,
      };
    },
    async repository() {
      const id = newId("repo");
      await db.query("insert into repositories (id, owner_id, name) values ($1, $2, $3)", [
        id,
        userId,
        `r${id.slice(-12)}`,
      ]);
      return id;
    },
    async runner(options = {}) {
      const credential = newRunnerCredential();
      const id = newId("rnr");
      await db.query(
        "insert into runners (id, name, repository_id, credential_hash) values ($1, $2, $3, $4)",
        [id, `runner ${id.slice(-6)}`, options.repositoryId ?? null, hashCredential(credential)],
      );
      return { id, credential };
    },
    scopes: () => insertScopes(db),
    connect(server, key, options = {}) {
      const runner = new ProtocolRunner({ url: server.url, ca, credential: key.credential, ...options });
      runners.push(runner);
      return runner;
    },
    async connected(server, options) {
      const key = await fixture.runner();
      const runner = fixture.connect(server, key, options);
      await runner.hello();
      return { key, runner };
    },
    async queue(options = {}) {
      const repositoryId = options.repositoryId ?? (await fixture.repository());
      numbers += 1;
      return insertAttempt(db, {
        repositoryId,
        userId,
        number: numbers,
        labels: ["docker"],
        job: {},
        ...options,
      });
    },
    async attempt(id) {
      const row = await db.one<AttemptRow>("select * from job_attempts where id = $1", [id]);
      if (!row) throw new Error(`no attempt ${id}`);
      return row;
    },
    async close() {
      for (const runner of runners) runner.vanish();
      for (const close of closing) await close();
      await database.drop();
      await rm(directory, { recursive: true, force: true });
    },
  };
  return fixture;
}

async function listen(
  db: TextDatabase,
  deps: RunnerUpgradeDeps,
  certificates: { certFile: string; keyFile: string },
): Promise<Server> {
  const registry = createUpgradeRegistry({
    identity: createIdentityService({
      db,
      sessions: { touch: async () => undefined },
      tokens: { touch: async () => undefined },
      logger: quiet,
      webUrl: "https://localhost",
    }),
    // Runners have no limit; nobody else comes here.
    rateLimits: { take: async () => undefined },
    trustedProxies: parseAddressRanges("").ranges,
    locate: () => null,
    errors: createErrorResponder({ docsUrl: "https://localhost/docs", logger: quiet }),
    webUrl: "https://localhost",
  });
  registerRunnerSocket(registry, deps);
  const server = createServer({
    cert: await readFile(certificates.certFile),
    key: await readFile(certificates.keyFile),
  });
  server.on("upgrade", (req, socket, head) => registry.handle(req, socket, head));
  // Where all others listen: clients of another test's server at the same port would find this one first, at ::1.
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}
