/**
 * An API server in the test's own process: a real database, real HTTPS with a certificate of a test authority, on free
 * ports. `api()` speaks to it; people are made straight in the database.
 */
import { rmSync } from "node:fs";
import { cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { Agent, request } from "node:https";
import type { IncomingHttpHeaders } from "node:http";
import { join } from "node:path";
import { tmpdir } from "node:os";
import { scopes as allScopes, type Scope } from "@forgeline/schemas/core/scopes.ts";
import { loadConfig, type Config } from "@forgeline/server/config/config.ts";
import { createContainer, withoutDatabase } from "@forgeline/server/container.ts";
import type { SshServer } from "@forgeline/server/edges/git-ssh/ssh-server.ts";
import { loadHostKeys } from "@forgeline/server/platform/ssh/host-keys.ts";
import type { SshLimits } from "@forgeline/server/edges/git-ssh/limits.ts";
import { openSshListener } from "@forgeline/server/edges/git-ssh/listener.ts";
import { openSshServer } from "@forgeline/server/edges/git-ssh/open-ssh-server.ts";
import { newId } from "@forgeline/server/platform/ids.ts";
import type { ProcessStarter } from "@forgeline/server/platform/processes/process-starter.ts";
import type { Periods } from "@forgeline/server/config/periods.ts";
import { openListeners } from "@forgeline/server/platform/http/listeners.ts";
import { createHttpServer, type HttpServer } from "@forgeline/server/edges/http-server.ts";
import { insertOwner } from "@forgeline/server/domains/accounts/owners/owners.store.ts";
import { insertUser } from "@forgeline/server/domains/accounts/users/users.store.ts";
import { readBed } from "./bed.ts";
import { noRateLimits } from "./no-rate-limits.ts";
import { passwordCost } from "./password-cost.ts";
import { shareStarter } from "./share-starter.ts";
import { testDatabase, type TestDatabase } from "./database.ts";
import { ofTexts, type TextContainer } from "./text-database.ts";

export interface ApiAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into arbitrary answers
  json: any;
}

export interface ApiRequest {
  token?: string;
  headers?: Record<string, string>;
  /** Sent as JSON, unless it is a string or bytes. */
  body?: unknown;
  /** Default: connections of the server's own that are kept. `false`: one for this request alone. */
  agent?: Agent | false;
}

export interface TestPerson {
  id: string;
  username: string;
  token: string;
}

export interface ApiServer {
  webUrl: string;
  baseUrl: string;
  httpsPort: number;
  httpPort: number;
  /** 0 unless `env` sets FORGELINE_SSH_PORT. */
  sshPort: number;
  ca: string;
  caFile: string;
  dataDir: string;
  config: Config;
  database: TestDatabase;
  container: TextContainer;
  http: HttpServer;
  sshServer: SshServer | undefined;
  /** `path` relative to `{base_url}`; with a leading `//`, relative to the host. */
  api(method: string, path: string, options?: ApiRequest): Promise<ApiAnswer>;
  /** A user with a token of these scopes (all when not given). */
  person(username: string, options?: { scopes?: readonly Scope[]; isAdmin?: boolean }): Promise<TestPerson>;
  /** A further token of a user. */
  tokenFor(person: TestPerson, scopes: readonly Scope[]): Promise<string>;
  stop(): Promise<void>;
}

export interface ApiServerOptions {
  env?: Record<string, string>;
  /** Of SSH connections, where they should be other than usual. */
  sshLimits?: Partial<SshLimits>;
  /** Of looking again, where news should be all that comes, or should not be waited for. */
  periods?: Partial<Periods>;
  /** What starts its programs; closed with it. */
  starter?: ProcessStarter;
  /** Serve the same database as another one; it is then not dropped here. */
  beside?: Pick<ApiServer, "database" | "dataDir">;
}

/** Sizes that change between two looks are for tests that are about them; nobody computes where a test has no worker of its own. */
const notByThemselves = ["measure_repositories", "start_statistics"];

export async function startApiServer(options: ApiServerOptions = {}): Promise<ApiServer> {
  const bed = await readBed();
  const dataDir = await mkdtemp(join(tmpdir(), "forgeline-api-"));
  const { caFile, certFile, keyFile } = bed.certificates;
  const database = options.beside?.database ?? (await testDatabase());
  const configured = loadConfig({
    FORGELINE_DATABASE_URL: database.url,
    FORGELINE_DATABASE_POOL: "4",
    TEMPORAL_ADDRESS: bed.temporalAddress,
    FORGELINE_HTTPS_PORT: "0",
    FORGELINE_HTTP_PORT: "0",
    FORGELINE_TLS_CERT_FILE: certFile,
    FORGELINE_TLS_KEY_FILE: keyFile,
    FORGELINE_TLS_CA_FILE: caFile,
    FORGELINE_DATA_DIR: options.beside?.dataDir ?? dataDir,
    FORGELINE_LOG_LEVEL: "silent",
    // What is sent at once is to meet at the service, not to wait for its turn.
    FORGELINE_REQUESTS_AT_ONCE: "64",
    ...noRateLimits,
    ...options.env,
  });
  const config = { ...configured, periods: { ...configured.periods, ...options.periods } };
  if (config.sshPort !== undefined && !options.beside) await putHostKeys(config.dataDir);
  const listeners = await openListeners(config);
  const ssh = await openSshListener(config);
  const { httpsPort } = listeners;
  const container = await createContainer(config, {
    role: "server",
    httpsPort,
    sshPort: ssh?.port,
    passwordCost,
    runsTask: (name) => !notByThemselves.includes(name),
    starter: options.starter ?? shareStarter(),
  });
  const forEdges = withoutDatabase(container);
  const http = await createHttpServer(forEdges);
  const sshServer = openSshServer(forEdges, options.sshLimits);
  container.lifecycle.start();
  listeners.attach(http.handlers);
  if (sshServer) ssh?.attach(sshServer.accept);
  http.sockets.start();
  const ca = await readFile(caFile, "utf8");
  const agent = new Agent({ keepAlive: true, ca });
  const { webUrl, baseUrl } = container.platform.addresses;
  const tokenFor: ApiServer["tokenFor"] = async (person, scopes) =>
    (await container.accounts.tokens.createFor(person, { name: "test", scopes, expiresInDays: null })).token;
  return {
    webUrl,
    baseUrl,
    httpsPort,
    sshPort: ssh?.port ?? 0,
    httpPort: listeners.httpPort ?? 0,
    ca,
    caFile,
    dataDir: config.dataDir,
    config,
    database,
    container: ofTexts(container),
    http,
    sshServer,
    tokenFor,
    api: (method, path, request) =>
      send(path.startsWith("//") ? `${webUrl}${path.slice(1)}` : `${baseUrl}${path}`, method, ca, {
        agent,
        ...request,
      }),
    async person(username, { scopes = allScopes, isAdmin = false } = {}) {
      const id = newId("usr");
      await insertOwner(container.platform.db, { id, name: username, kind: "user" });
      await insertUser(container.platform.db, { id, username, isAdmin, passwordHash: null });
      return { id, username, token: await tokenFor({ id, username, token: "" }, scopes) };
    },
    async stop() {
      agent.destroy();
      await http.sockets.drain();
      await container.lifecycle.drain();
      ssh?.close();
      await Promise.all([listeners.close(0), sshServer?.close(0)]);
      await container.close();
      if (!options.beside) await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** As `api` of a server that runs elsewhere; `caFile` says whom to trust. */
export async function sendTo(webUrl: string, caFile: string): Promise<ApiServer["api"]> {
  const ca = await readFile(caFile, "utf8");
  return (method, path, request) =>
    send(`${webUrl}${path.startsWith("//") ? path.slice(1) : `/api/v1${path}`}`, method, ca, {
      agent: false,
      ...request,
    });
}

function send(url: string, method: string, ca: string, options: ApiRequest): Promise<ApiAnswer> {
  const { body } = options;
  const raw = body === undefined || typeof body === "string" || Buffer.isBuffer(body);
  const payload = raw ? body : JSON.stringify(body);
  const headers: Record<string, string> = {
    ...(payload === undefined
      ? {}
      : { "Content-Type": "application/json", "Content-Length": String(Buffer.byteLength(payload)) }),
    ...(options.token === undefined ? {} : { Authorization: `Bearer ${options.token}` }),
    ...options.headers,
  };
  return new Promise((resolve, reject) => {
    const req = request(url, { method, ca, headers, agent: options.agent }, (res) => {
      const chunks: Buffer[] = [];
      res.on("data", (chunk: Buffer) => chunks.push(chunk));
      res.on("error", reject);
      res.on("end", () => {
        const text = Buffer.concat(chunks).toString("utf8");
        const isJson = (res.headers["content-type"] ?? "").startsWith("application/json");
        resolve({
          status: res.statusCode ?? 0,
          headers: res.headers,
          text,
          json: isJson && text !== "" ? JSON.parse(text) : undefined,
        });
      });
    });
    req.on("error", reject);
    req.end(payload);
  });
}

let hostKeys: Promise<string> | undefined;

/** An RSA key takes a second to make: the servers of one test file share it. */
async function putHostKeys(dataDir: string): Promise<void> {
  hostKeys ??= mkdtemp(join(tmpdir(), "forgeline-host-keys-")).then(async (directory) => {
    await loadHostKeys({ dataDir: directory, sshPort: 0 });
    process.once("exit", () => rmSync(directory, { recursive: true, force: true }));
    return directory;
  });
  await cp(join(await hostKeys, "ssh"), join(dataDir, "ssh"), { recursive: true });
}
