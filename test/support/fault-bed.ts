/**
 * An instance with a fault proxy between its runners and its server, a repository of numbered-lines pipelines, and the
 * judge. One for each file of fault tests, and for each chaos scenario.
 */
import Dockerode from "dockerode";
import { readBed } from "./bed.ts";
import { startEffectRecorder, type EffectRecorder } from "./effect-recorder.ts";
import { eventually } from "./eventually.ts";
import { startFaultProxy, type FaultProxy } from "./fault-proxy.ts";
import { leftovers, runnerId } from "./instance-run.ts";
import {
  serverIsReady,
  startTestInstance,
  type InstanceOptions,
  type TestInstance,
  type TestRunner,
} from "./instance.ts";
import {
  makeLinesRepository,
  type LinesFile,
  type LinesRepository,
  type LinesRun,
} from "./lines-pipeline.ts";
import { judgeRun, type JudgeOptions, type RunJudgement } from "./run-judge.ts";

export interface FaultBed {
  instance: TestInstance;
  proxy: FaultProxy;
  docker: Dockerode;
  effects: EffectRecorder;
  repository: LinesRepository;
  /** Starts a run and resolves once at least `seen` lines (default 1) of each job that runs first are on the server. */
  begin(run: { file?: LinesFile; count: number; perPause: number; seen?: number }): Promise<LinesRun>;
  /** Number of the last line that the server has of a job; 0 while it cannot say. */
  linesSeen(run: LinesRun, job?: string): Promise<number>;
  /** Waits for the end of the run and judges it; also that nothing of its leases is left in Docker. */
  judge(run: LinesRun, options?: JudgeOptions): Promise<RunJudgement>;
  startServer(env?: Record<string, string>, checkout?: string): Promise<void>;
  runner(): TestRunner;
  /** Ends everything; answers with what was left in Docker after all runners had ended. */
  close(): Promise<string[]>;
  /** The same; rejects when something was left. */
  closeEmpty(): Promise<void>;
}

const runTimeoutMs = 120_000;

export async function openFaultBed(options: InstanceOptions = {}): Promise<FaultBed> {
  let opened: Promise<FaultProxy> | undefined;
  const { dockerGateway } = await readBed();
  const instance = await startTestInstance({
    ...options,
    // Jobs tell the recorder of effects what they do.
    env: { FORGELINE_RUNNER_EGRESS_ALLOW: dockerGateway, ...options.env },
    async runnerUrl(direct, all) {
      const upstream = (url: string) => ({ host: "127.0.0.1", port: Number(new URL(url).port) });
      opened ??= startFaultProxy(upstream(direct), ...all.slice(1).map(upstream));
      return `https://localhost:${(await opened).port}`;
    },
  });
  const proxy = await opened;
  if (!proxy) throw new Error("a fault bed needs a runner");
  const [server] = instance.servers;
  const [runner] = instance.runners;
  if (!server || !runner) throw new Error("a fault bed needs a server and a runner");
  const { bed } = instance;
  const docker = new Dockerode({ socketPath: bed.dockerSocket });
  const effects = await startEffectRecorder(bed.dockerGateway || "127.0.0.1");
  const repository = await makeLinesRepository(instance, effects);
  return assemble({ instance, proxy, docker, effects, repository }, { server, runner });
}

type Parts = Pick<FaultBed, "instance" | "proxy" | "docker" | "effects" | "repository">;

function assemble(parts: Parts, main: { server: TestInstance["servers"][0]; runner: TestRunner }): FaultBed {
  const { instance, proxy, docker, effects, repository } = parts;
  const bed: FaultBed = {
    ...parts,
    async begin({ seen = 1, ...wanted }) {
      const run = await repository.begin(wanted);
      const first = run.file === "stages" ? ["left", "right"] : ["only"];
      for (const job of first)
        await eventually(async () => (await bed.linesSeen(run, job)) >= seen, { timeoutMs: 60_000 });
      return run;
    },
    linesSeen: (run, job = "only") => repository.lastLine(run, job).catch(() => 0),
    async judge(run, judgeOptions) {
      await eventually(async () => (await repository.get(run)).finished_at !== null, {
        timeoutMs: runTimeoutMs,
      });
      const judgement = await judgeRun(repository, effects, run, judgeOptions);
      const left = await whatStays(() => leasesLeft(parts));
      judgement.problems.push(...left.map((name) => `left in Docker: ${name}`));
      return judgement;
    },
    async startServer(env, checkout) {
      main.server.program.start(env, checkout);
      await serverIsReady(main.server, instance.certificates);
    },
    runner: () => main.runner,
    async close() {
      const ids = await Promise.all(instance.runners.map(runnerId));
      proxy.set({ name: "pass" });
      await instance.stop();
      const left = await Promise.all(ids.map((id) => leftovers(docker, id)));
      await proxy.close();
      await effects.close();
      return left.flat();
    },
    async closeEmpty() {
      const left = await bed.close();
      if (left.length > 0) throw new Error(`left in Docker: ${left.join(", ")}`);
    },
  };
  return bed;
}

/** Containers that carry the name of a lease; those that wait for jobs are not meant. */
async function leasesLeft({ instance, docker }: Parts): Promise<string[]> {
  const ids = await Promise.all(instance.runners.map(runnerId));
  const found = await Promise.all(ids.map((id) => leftovers(docker, id)));
  return found.flat().filter((name) => name.includes("att_"));
}

/** What is still there after the time that cleaning may take. */
async function whatStays(look: () => Promise<string[]>): Promise<string[]> {
  let left: string[] = [];
  await eventually(async () => (left = await look()).length === 0, { timeoutMs: 20_000 }).catch(
    () => undefined,
  );
  return left;
}
