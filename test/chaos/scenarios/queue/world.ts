/**
 * An instance whose every part may be killed, with one runner of four places that executes nothing, and two repositories: a busy
 * one, and another one that has a single run now and then.
 */
import { readFile } from "node:fs/promises";
import { Agent, request } from "node:https";
import pg from "pg";
import { addressWithToken, createGitClient } from "../../../integration/git/git-client.ts";
import { eventually } from "../../../support/eventually.ts";
import {
  programsOf,
  serverIsReady,
  startTestInstance,
  type TestInstance,
} from "../../../support/instance.ts";
import { startOwnBed } from "../../../support/own-bed.ts";
import type { RunningBed } from "../../../support/bed.ts";

export const places = 4;
/** Requests under way at a time. */
export const lanes = 16;
/** Of a job, so that four places do not empty the queue before it is full. */
const jobMs = 250;
const patienceMs = 120_000;

export interface Started {
  id: string;
  number: number;
}

export interface QueueWorld {
  own: RunningBed;
  instance: TestInstance;
  /** Over connections that are kept; as the administrator. Rejects unless 2xx. */
  call<T>(method: string, path: string, body?: unknown): Promise<T>;
  trigger(repository: string): Promise<Started>;
  /** Asks until it is answered. */
  rows<T>(sql: string, parameters?: unknown[]): Promise<T[]>;
  /** Each part by `kill -9`, all at once, and each is up again. */
  killAll(): Promise<void>;
  close(): Promise<string[]>;
}

export async function openQueueWorld(): Promise<QueueWorld> {
  const own = await startOwnBed();
  const instance = await startTestInstance({
    runners: 0,
    env: {
      FORGELINE_HEARTBEAT_MS: "1000",
      FORGELINE_UNREACHABLE_MS: "6000",
      // Receivers of webhooks are on this machine, with a certificate of the bed.
      FORGELINE_OUTBOUND_ALLOW: "127.0.0.1",
      FORGELINE_OUTBOUND_CA_FILE: own.bed.certificates.caFile,
    },
  });
  await instance.addRunner("fake", { capacity: places, env: { FORGELINE_RUNNER_ENGINE: "fake" } });
  await makeRepositories(instance);
  return assemble(own, instance);
}

async function makeRepositories({ api, adminToken, certificates, url }: TestInstance): Promise<void> {
  const git = await createGitClient(certificates.caFile);
  const file = JSON.stringify({
    on: ["api"],
    jobs: { one: { image: "fake", clone: false, steps: [`fake: sleep ${jobMs}`] } },
  });
  for (const name of ["busy", "lone", "poisoned"]) {
    await api("POST", "/repos", { name });
    const cwd = await git.workTree();
    await git.commit(cwd, { ".forgeline.yml": file });
    await git.ok(["push", "-q", addressWithToken(url, `admin/${name}`, adminToken), "HEAD:main"], { cwd });
  }
  await git.remove();
}

async function assemble(own: RunningBed, instance: TestInstance): Promise<QueueWorld> {
  const { database, certificates, servers, worker, workerMetricsUrl, runners } = instance;
  const pool = new pg.Pool({ connectionString: database.url, max: 2 });
  // PostgreSQL is killed under it; the next statement connects anew.
  pool.on("error", () => undefined);
  const ca = await readFile(certificates.caFile);
  const agent = new Agent({ keepAlive: true, maxSockets: lanes, ca });
  const call = caller(instance, agent);
  return {
    own,
    instance,
    call,
    trigger: (repository) => call("POST", `/repos/admin/${repository}/pipelines`, {}),
    rows: <T>(sql: string, parameters: unknown[] = []) =>
      eventually(async () => (await pool.query(sql, parameters)).rows as T[], { timeoutMs: patienceMs }),
    async killAll() {
      await Promise.all([
        ...programsOf(instance).map((program) => program.kill()),
        own.kill("postgresql"),
        own.kill("temporal"),
      ]);
      for (const program of programsOf(instance)) program.start();
      for (const server of servers) await serverIsReady(server, certificates);
      await eventually(async () => worker && (await fetch(`${workerMetricsUrl}/readyz`)).ok, {
        timeoutMs: patienceMs,
      });
    },
    async close() {
      agent.destroy();
      await pool.end();
      for (const { program } of runners) await program.end("SIGINT");
      await instance.stop();
      await own.stop();
      return [];
    },
  };
}

function caller({ url, adminToken }: TestInstance, agent: Agent): QueueWorld["call"] {
  return <T>(method: string, path: string, body?: unknown) => {
    const text = body === undefined ? "" : JSON.stringify(body);
    const headers = {
      authorization: `Bearer ${adminToken}`,
      ...(body === undefined
        ? {}
        : { "content-type": "application/json", "content-length": Buffer.byteLength(text) }),
    };
    return new Promise<T>((resolve, reject) => {
      const sent = request(`${url}/api/v1${path}`, { method, agent, headers }, (response) => {
        const parts: Buffer[] = [];
        response.on("error", reject);
        response.on("data", (part: Buffer) => parts.push(part));
        response.on("end", () => {
          const answer = Buffer.concat(parts).toString();
          if ((response.statusCode ?? 500) >= 300)
            return reject(
              new Error(`${method} ${path}: HTTP ${response.statusCode} ${answer.slice(0, 200)}`),
            );
          resolve((answer ? JSON.parse(answer) : undefined) as T);
        });
      });
      sent.on("error", reject);
      sent.end(text);
    });
  };
}
