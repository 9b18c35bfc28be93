/**
 * An instance whose every part may be killed: a server, a worker, a PostgreSQL and a Temporal of its own, and three runners, each
 * behind a proxy of its own; with the repositories and the means to look at them through REST.
 */
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import Dockerode from "dockerode";
import type { Pipeline, PipelineEventRecord } from "@forgeline/schemas/pipelines/resource.ts";
import { localRequest } from "@forgeline/launcher/https-client.ts";
import { addressWithToken, createGitClient } from "../../../integration/git/git-client.ts";
import { startEffectRecorder, type EffectRecorder } from "../../../support/effect-recorder.ts";
import { eventually } from "../../../support/eventually.ts";
import { startFaultProxy, type FaultProxy } from "../../../support/fault-proxy.ts";
import { leftovers, runnerId } from "../../../support/instance-run.ts";
import {
  serverIsReady,
  startTestInstance,
  type TestInstance,
  type TestRunner,
} from "../../../support/instance.ts";
import { startOwnBed } from "../../../support/own-bed.ts";
import type { RunningBed } from "../../../support/bed.ts";
import { belowFiles, mainFiles } from "./pipeline-files.ts";
import { mainRepository, reclaimMs, runsOf } from "./settings.ts";

const runnerCount = 3;
const patienceMs = 90_000;

export interface ChaosRunner {
  runner: TestRunner;
  proxy: FaultProxy;
}

export interface World {
  own: RunningBed;
  instance: TestInstance;
  effects: EffectRecorder;
  docker: Dockerode;
  runners: readonly ChaosRunner[];
  /** After it was killed; resolves once it is ready. */
  startServer(): Promise<void>;
  /** Secrets of the round under way. */
  setSecrets(): Promise<readonly string[]>;
  /** Asks until it is answered: whatever is asked may be down at the moment. */
  read<T>(path: string): Promise<T>;
  /** All pages of a list. */
  list<T>(path: string): Promise<T[]>;
  /** Null where there is none. */
  text(path: string): Promise<string | null>;
  get(run: { number: number }, repository?: string): Promise<Pipeline>;
  events(run: { number: number }): Promise<PipelineEventRecord[]>;
  /** Folders in which anything of the instance and its runners lies. */
  folders(): Promise<readonly string[]>;
  left(): Promise<string[]>;
  close(): Promise<string[]>;
}

export async function openWorld(): Promise<World> {
  const own = await startOwnBed();
  const proxies: FaultProxy[] = [];
  const instance = await startTestInstance({
    runners: 0,
    runnerCapacity: 2,
    env: {
      FORGELINE_HEARTBEAT_MS: "1000",
      FORGELINE_UNREACHABLE_MS: "6000",
      FORGELINE_RECLAIM_MS: String(reclaimMs),
      FORGELINE_OFFER_MS: "5000",
      FORGELINE_RUNNER_EGRESS_ALLOW: own.bed.dockerGateway,
    },
    async runnerUrl(direct) {
      const proxy = await startFaultProxy({ host: "127.0.0.1", port: Number(new URL(direct).port) });
      proxies.push(proxy);
      return `https://localhost:${proxy.port}`;
    },
  });
  const runners: ChaosRunner[] = [];
  // One after another, so that each proxy is that of its runner.
  for (let number = 0; number < runnerCount; number++) {
    const runner = await instance.addRunner(`runner-${number}`);
    const proxy = proxies.at(-1);
    if (proxy) runners.push({ runner, proxy });
  }
  const effects = await startEffectRecorder(own.bed.dockerGateway || "127.0.0.1");
  await makeRepositories(instance);
  const docker = new Dockerode({ socketPath: instance.bed.dockerSocket });
  return assemble({ own, instance, effects, docker, runners });
}

async function makeRepositories(instance: TestInstance): Promise<void> {
  const { api, adminToken, certificates, url } = instance;
  await api("POST", "/orgs", { name: "acme" });
  await api("PATCH", "/orgs/acme", { shared_concurrency: true });
  const git = await createGitClient(certificates.caFile);
  for (const [name, files] of [
    ["all", mainFiles],
    ["below", belowFiles],
  ] as const) {
    await api("POST", "/repos", { name, owner: "acme" });
    const cwd = await git.workTree();
    for (const path of Object.keys(files)) await mkdir(dirname(join(cwd, path)), { recursive: true });
    await git.commit(cwd, files);
    await git.ok(["push", "-q", addressWithToken(url, `acme/${name}`, adminToken), "HEAD:main"], { cwd });
  }
  await git.remove();
}

type Parts = Pick<World, "own" | "instance" | "effects" | "docker" | "runners">;

function assemble(parts: Parts): World {
  const { own, instance, effects, docker, runners } = parts;
  const { certificates, adminToken, url, api } = instance;
  const read: World["read"] = (path) =>
    eventually(() => api("GET", path), { timeoutMs: patienceMs }) as Promise<never>;
  const list: World["list"] = async (path) => {
    const all: never[] = [];
    for (let page = 1; ; page++) {
      const some = await read<never[]>(`${path}${path.includes("?") ? "&" : "?"}per_page=100&page=${page}`);
      all.push(...some);
      if (some.length < 100) return all;
    }
  };
  const left = async () => {
    const ids = await Promise.all(runners.map(({ runner }) => runnerId(runner)));
    const found = await Promise.all(ids.map((id) => leftovers(docker, id)));
    // Those are for jobs to come; that they go, too, is seen when the runners end.
    return found.flat().filter((name) => !name.startsWith("network forgeline-warm-"));
  };
  return {
    ...parts,
    read,
    list,
    left,
    async startServer() {
      const [server] = instance.servers;
      if (!server) throw new Error("no server");
      server.program.start();
      await serverIsReady(server, certificates);
    },
    async setSecrets() {
      const values = ["TOKEN_ENV", "TOKEN_FILE"].map(
        (name) => [name, `chaos-${randomBytes(12).toString("hex")}`] as const,
      );
      for (const [name, value] of values)
        await api("PUT", `/repos/${mainRepository}/secrets/${name}`, { value });
      return values.map(([, value]) => value);
    },
    text: (path) =>
      eventually(
        async () => {
          const answer = await localRequest(`${url}/api/v1${path}`, {
            caFile: certificates.caFile,
            token: adminToken,
          });
          if (answer.status === 404) return { text: null };
          if (answer.status >= 300) throw new Error(`${path}: HTTP ${answer.status} ${answer.text}`);
          return { text: answer.text };
        },
        { timeoutMs: patienceMs },
      ).then(({ text }) => text),
    get: (run, repository) => read(`${runsOf(repository)}/${run.number}`),
    events: (run) => list(`${runsOf()}/${run.number}/events`),
    async folders() {
      const ids = await Promise.all(runners.map(({ runner }) => runnerId(runner)));
      // Where runners keep in memory what steps are given.
      const inMemory = ids.map((id) => `/dev/shm/forgeline-runner-${id}`).filter((path) => existsSync(path));
      return [instance.directory, dirname(own.file), ...inMemory];
    },
    async close() {
      for (const { proxy } of runners) proxy.set({ name: "pass" });
      const ids = await Promise.all(runners.map(({ runner }) => runnerId(runner)));
      await instance.stop();
      const after = await Promise.all(ids.map((id) => leftovers(docker, id)));
      await Promise.all(runners.map(({ proxy }) => proxy.close()));
      await effects.close();
      await own.stop();
      return after.flat();
    },
  };
}
