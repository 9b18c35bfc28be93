/** What every engine promises to the job state machine, asked of each of them in the same words. */
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Dockerode from "dockerode";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ensureBaseImage } from "@forgeline/launcher/base-image.ts";
import type {
  Engine,
  JobEnvironment,
  JobHandle,
  RunningStep,
  StepCommand,
} from "@forgeline/runner/engine/engine.ts";
import { readJobFile } from "@forgeline/runner/engine/job-file.ts";
import { engineJob, engineSubjects, processJob, suffix } from "../support/engine-subjects.ts";
import { eventually } from "../support/eventually.ts";
import { buildService } from "../support/lease-spec.ts";

const never = new AbortController().signal;
const docker = new Dockerode();

function step(position: number, script: string): StepCommand {
  return { position, script, shell: "auto", env: {}, workdir: null, image: null };
}

async function text(path: string): Promise<string> {
  return (await readJobFile(path, 1_000_000))?.toString() ?? "";
}

describe.each(engineSubjects)("the $name engine", ({ create, images }) => {
  const job = images ? engineJob : processJob;
  let workDir: string;
  let engine: Engine;
  let count = 0;
  const lease = (): string => `att_${suffix}${String((count += 1))}-1`;

  async function inEnvironment(run: (environment: JobEnvironment) => Promise<void>): Promise<void> {
    const environment = await engine.prepare(job(lease()));
    try {
      await environment.ready(never);
      await run(environment);
    } finally {
      await environment.destroy();
    }
  }

  beforeAll(async () => {
    await ensureBaseImage(docker);
    if (images)
      await docker.getImage("forgeline/base:1").tag({ repo: images.hereOnly.replace(/:1$/, ""), tag: "1" });
    workDir = await mkdtemp(join(tmpdir(), "forgeline-conformance-"));
    engine = create(workDir);
  });
  afterAll(async () => {
    await engine.sweep(new Set());
    await engine.close();
    if (images) await docker.getImage(images.hereOnly).remove();
    await rm(workDir, { recursive: true, force: true });
    await rm(`${workDir}-in`, { recursive: true, force: true });
  });

  it("runs steps one after the other, keeps what each leaves, and answers each wait, also after the end", async () => {
    await inEnvironment(async (environment) => {
      const first = await environment.runStep(step(0, "echo one\n# fake: echo one"), never);
      expect(await first.wait(never)).toEqual({ kind: "exited", code: 0 });
      const second = await environment.runStep(
        step(1, "echo two\nexit 3\n# fake: echo two\n# fake: exit 3"),
        never,
      );
      expect(await second.wait(never)).toEqual({ kind: "exited", code: 3 });
      expect(await text(first.outputFile)).toBe("one\n");
      expect(await text(second.outputFile)).toBe("two\n");
      const third = await environment.runStep(
        step(2, 'echo k=v >>"$CI_OUTPUT"; exit 7\n# fake: output k=v\n# fake: exit 7'),
        never,
      );
      const waits = [...(await Promise.all([third.wait(never), third.wait(never)])), await third.wait(never)];
      expect(waits).toEqual(Array(3).fill({ kind: "exited", code: 7 }));
      expect(await text(third.ciOutputFile)).toBe("k=v\n");
    });
  });

  it("ends steps whose time is over by itself, unless it is told again or not to", async () => {
    await inEnvironment(async (environment) => {
      await environment.fence(60_000);
      await environment.fence(300);
      const lost = await environment.runStep(step(0, "sleep 60\n# fake: hang"), never);
      expect(await lost.wait(never)).toMatchObject({ kind: "container_lost" });
    });
    await inEnvironment(async (environment) => {
      await environment.fence(300);
      await environment.fence(null);
      const kept = await environment.runStep(step(0, "sleep 1\n# fake: sleep 1000\n# fake: exit 0"), never);
      expect(await kept.wait(never)).toEqual({ kind: "exited", code: 0 });
    });
  });

  it("runs steps at the same time, each with its own output, exit code and end", async () => {
    const both = (own: string, other: string) =>
      `echo ${own}; touch ${own}; until [ -e ${other} ]; do sleep 0.05; done; echo k=${own} >>"$CI_OUTPUT"`;
    const played = (own: string) => `# fake: echo ${own}\n# fake: sleep 300\n# fake: output k=${own}`;
    await inEnvironment(async (environment) => {
      const steps = await Promise.all([
        environment.runStep(step(0, `${both("a", "b")}; exit 3\n${played("a")}\n# fake: exit 3`), never),
        environment.runStep(step(1, `${both("b", "a")}\n${played("b")}`), never),
        environment.runStep(step(2, "sleep 1000\n# fake: hang"), never),
      ]);
      const [first, second, third] = steps as [RunningStep, RunningStep, RunningStep];
      expect(await Promise.all([first.wait(never), second.wait(never)])).toEqual([
        { kind: "exited", code: 3 },
        { kind: "exited", code: 0 },
      ]);
      await expect(third.wait(AbortSignal.timeout(50))).rejects.toThrow("timeout");
      await third.kill("TERM");
      expect(await third.wait(never)).toEqual({ kind: "exited", code: 143 });
      expect(await Promise.all([text(first.outputFile), text(second.outputFile)])).toEqual(["a\n", "b\n"]);
      expect(await Promise.all([text(first.ciOutputFile), text(second.ciOutputFile)])).toEqual([
        "k=a\n",
        "k=b\n",
      ]);
    });
  });

  it("gives all steps that run at the same time to a new agent", async () => {
    const waiting = "until [ -e go ]; do sleep 0.05; done";
    const environment = await engine.prepare(job(lease()));
    await environment.ready(never);
    const running = [
      environment.runStep(step(0, `${waiting}; exit 4\n# fake: sleep 500\n# fake: exit 4`), never),
      environment.runStep(step(1, `${waiting}; exit 5\n# fake: sleep 500\n# fake: exit 5`), never),
    ];
    await Promise.all(running);
    const taken = await create(workDir).reattach(environment.handle);
    if (taken === null) throw new Error("the environment was not found again");
    try {
      const again = (await Promise.all(
        [0, 1].map((position) => taken.reattachStep(position)),
      )) as RunningStep[];
      await taken.runStep(step(2, "touch go\n# fake: exit 0"), never);
      expect(await Promise.all(again.map((one) => one.wait(never)))).toEqual([
        { kind: "exited", code: 4 },
        { kind: "exited", code: 5 },
      ]);
    } finally {
      await taken.destroy();
    }
  });

  it("ends steps by a signal, stops waiting when aborted, and goes on with the next one", async () => {
    await inEnvironment(async (environment) => {
      for (const [at, signalName, code] of [
        [0, "TERM", 143],
        [1, "KILL", 137],
      ] as const) {
        const running = await environment.runStep(step(at, "sleep 1000\n# fake: hang"), never);
        await expect(running.wait(AbortSignal.timeout(50))).rejects.toThrow("timeout");
        await running.kill(signalName);
        expect(await running.wait(never)).toEqual({ kind: "exited", code });
        await running.kill("KILL");
      }
      const after = await environment.runStep(step(2, "echo on\n# fake: echo on"), never);
      expect(await after.wait(never)).toEqual({ kind: "exited", code: 0 });
    });
  });

  it("gives a running step and an ended one to a new agent", async () => {
    const script =
      "echo a\nwhile [ ! -e go ]; do sleep 0.05; done\necho b\nexit 5\n# fake: echo a\n# fake: sleep 600\n# fake: echo b\n# fake: exit 5";
    const environment = await engine.prepare(job(lease()));
    await environment.ready(never);
    const ended = await environment.runStep(step(0, "echo z\nexit 2\n# fake: echo z\n# fake: exit 2"), never);
    await ended.wait(never);
    const before = await environment.runStep(step(1, script), never);
    await eventually(async () => (await text(before.outputFile)) === "a\n");
    const handle = JSON.parse(JSON.stringify(environment.handle)) as JobHandle;
    const next = create(workDir);
    const taken = await next.reattach(handle);
    if (taken === null) throw new Error("the environment was not found again");
    try {
      const again = await taken.reattachStep(0);
      expect(await again?.wait(never)).toEqual({ kind: "exited", code: 2 });
      const running = (await taken.reattachStep(1)) as RunningStep;
      expect(running.outputFile).toBe(before.outputFile);
      expect(await taken.reattachStep(2)).toBeNull();
      // The other step holds the job's container, so this one comes in a container of its own.
      const own = {
        ...step(9, "touch go\n# fake: exit 0"),
        image: images && { name: "forgeline/base:1", user: null },
      };
      const go = await taken.runStep(own, never);
      expect(await go.wait(never)).toEqual({ kind: "exited", code: 0 });
      expect(await running.wait(never)).toEqual({ kind: "exited", code: 5 });
      expect(await text(running.outputFile)).toBe("a\nb\n");
    } finally {
      await taken.destroy();
    }
  });

  it("finds no environment where none is left", async () => {
    const environment = await engine.prepare(job(lease()));
    const { handle } = environment;
    await environment.destroy();
    await environment.destroy();
    expect(await create(workDir).reattach(handle)).toBeNull();
    expect((await readdir(workDir)).filter((name) => name !== ".init")).toEqual([]);
  });

  it("discards a job of a dead agent, also one that is gone already", async () => {
    const { handle } = await engine.prepare(job(lease()));
    const next = create(workDir);
    await next.discard(handle);
    expect(await next.reattach(handle)).toBeNull();
    expect((await readdir(workDir)).filter((name) => name !== ".init")).toEqual([]);
    await next.discard(handle);
  });

  it("sweeps what a dead agent left, but no kept lease", async () => {
    const [kept, left] = [lease(), lease()];
    const environments = [await engine.prepare(job(kept)), await engine.prepare(job(left))];
    const next = create(workDir);
    const swept = await next.sweep(new Set([kept]));
    expect(swept).toEqual(
      images ? { containers: 1, networks: 1, volumes: 1 } : { containers: 1, networks: 0, volumes: 0 },
    );
    expect(await next.reattach((environments[1] as JobEnvironment).handle)).toBeNull();
    const taken = await next.reattach((environments[0] as JobEnvironment).handle);
    expect(taken).not.toBeNull();
    await taken?.destroy();
    await (environments[1] as JobEnvironment).destroy();
  });

  if (!images) return;

  it("says image_pull when there is no such image, and leaves nothing", async () => {
    await expect(engine.prepare(engineJob(lease(), images.absent))).rejects.toMatchObject({
      code: "image_pull",
    });
  });

  it("takes an image that is here only without `pull: always`, which needs its registry", async () => {
    const environment = await engine.prepare(engineJob(lease(), images.hereOnly));
    try {
      await environment.ready(never);
      const image = { name: images.hereOnly, user: null, pull: "always" } as const;
      const own = environment.runStep({ ...step(0, "true\n# fake: exit 0"), image }, never);
      await expect(own).rejects.toMatchObject({ code: "image_pull" });
      const service = { ...buildService("db", "sleep 100"), image };
      const started = environment.startServices([service], () => undefined, never);
      await expect(started).rejects.toMatchObject({ code: "image_pull" });
      const another = { ...job(lease()), image };
      await expect(engine.prepare(another)).rejects.toMatchObject({ code: "image_pull" });
    } finally {
      await environment.destroy();
    }
  });

  it("starts services with a log of their own", async () => {
    await inEnvironment(async (environment) => {
      const service = {
        key: "db",
        image: { name: "forgeline/base:1", user: null },
        env: {},
        command: ["sh", "-c", "echo db is ready; exec sleep 1000"],
        ready: null,
        resources: { cpu: null, memoryBytes: null, shmBytes: null },
      };
      const seen: string[] = [];
      await environment.startServices([service], ({ key }) => seen.push(key), never);
      expect(seen).toEqual(["db"]);
      const [running] = environment.services();
      await eventually(async () => (await text(running?.outputFile ?? "")) === "db is ready\n");
    });
  });
});
