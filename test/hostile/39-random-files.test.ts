/**
 * Row 39 of security.md: made-up pipeline files, as far as the compiler takes them, played by the engine on the real daemon: what it
 * was asked to make, and what a program in each container reads about itself.
 */
import Dockerode from "dockerode";
import { afterAll, beforeAll, expect, test } from "vitest";
import { compile } from "@forgeline/compiler/compile.ts";
import { ensureBaseImage } from "@forgeline/launcher/base-image.ts";
import type { PlanJob } from "@forgeline/schemas/pipeline-file/plan.ts";
import { engineBed, never, textOf, type EngineBed } from "../integration/runner/docker-job.ts";
import { counted } from "../support/counted.ts";
import { expectCaged } from "../support/create-options.ts";
import { eventually } from "../support/eventually.ts";
import { seededRandom } from "../support/seeded-random.ts";
import { seed, size } from "../support/size.ts";

const files = size(3, 200);

const random = seededRandom(seed);
const oneOf = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!;
const sometimes = (more: object) => (random() < 0.5 ? more : {});

/** Words that somebody may put wherever text is allowed. */
const text = () =>
  oneOf([
    "--privileged",
    "--cap-add=ALL",
    "/:/host",
    "container:1",
    "a\nb",
    "$(id)",
    "seccomp=unconfined",
    "../..",
    "host",
    "'",
    "${HOME}",
    "\u202e",
  ]);
const image = () =>
  oneOf([
    "forgeline/base:1",
    { name: "forgeline/base:1", user: oneOf(["0", "root", "0:0", "1000", "1000:1000", 65_534]) },
  ]);
const resources = () => ({
  ...sometimes({ cpu: oneOf([0.2, 0.4]) }),
  ...sometimes({ memory: oneOf(["48Mi", "128Mi"]) }),
  ...sometimes({ shm: oneOf(["1Mi", "16Mi"]) }),
});
const env = () => ({ A: text(), PRIVILEGED: text(), LD_PRELOAD: text() });
const readsItself = "cat /proc/self/status; ls /dev; ls -l /var/run/docker.sock 2>&1; echo over";

function randomFile(): string {
  const step = () => ({
    run: readsItself,
    shell: "sh",
    ...sometimes({ name: text() }),
    ...sometimes({ image: image() }),
    ...sometimes({ env: env() }),
  });
  const service = () => ({
    image: image(),
    command: ["sh", "-c", readsItself, text()],
    ready: false,
    ...sometimes({ env: env() }),
    ...sometimes({ resources: resources() }),
  });
  const job = {
    image: image(),
    clone: false,
    steps: [step(), step()],
    ...sometimes({ name: text() }),
    ...sometimes({ env: env() }),
    ...sometimes({ services: { side: service(), ...sometimes({ other: service() }) } }),
    ...sometimes({ resources: resources() }),
    ...sometimes({ runner: [text()] }),
  };
  return JSON.stringify({ jobs: { main: job } });
}

const asked: Dockerode.ContainerCreateOptions[] = [];
let bed: EngineBed;
beforeAll(async () => {
  const docker = new Dockerode();
  await ensureBaseImage(docker);
  const create = docker.createContainer.bind(docker);
  docker.createContainer = ((options: Dockerode.ContainerCreateOptions) => {
    asked.push(options);
    return create(options);
  }) as typeof docker.createContainer;
  bed = await engineBed({ docker });
});
afterAll(() => bed?.close());

/** What each program in a container of the job printed. */
async function play(job: PlanJob): Promise<string[]> {
  const said: string[] = [];
  const { image, resources, services } = job;
  const stepContainers = job.steps.some((step) => step.image !== null) ? 1 : 0;
  await bed.inJob({ image, resources, services, stepContainers }, async (environment) => {
    await environment.startServices(job.services, () => undefined, never);
    for (const { position, run, env: given, workdir, image: own } of job.steps) {
      const command = { position, script: run, shell: "sh" as const, env: given, workdir, image: own };
      const running = await environment.runStep(command, never);
      await running.wait(never);
      said.push(await textOf(running.outputFile));
    }
    for (const { outputFile } of environment.services())
      said.push(
        await eventually(async () => (await textOf(outputFile)).includes("over\n") && textOf(outputFile)),
      );
  });
  return said;
}

/** CHOWN, DAC_OVERRIDE, FOWNER, FSETID, KILL, SETGID, SETUID: bits 0, 1, 3, 4, 5, 6, 7. */
const kept = "00000000000000fb";
const none = "0000000000000000";
/** Who is not root has none of them. */
function expectNothingMore(status: string): void {
  const field = (name: string) => new RegExp(`^${name}:\\s+(\\S+)`, "m").exec(status)?.[1];
  const own = field("Uid") === "0" ? kept : none;
  const names = ["CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb", "NoNewPrivs", "Seccomp"];
  expect(names.map((name) => [name, field(name)])).toEqual([
    ["CapInh", none],
    ["CapPrm", own],
    ["CapEff", own],
    ["CapBnd", kept],
    ["CapAmb", none],
    ["NoNewPrivs", "1"],
    // 2: a filter holds.
    ["Seccomp", "2"],
  ]);
  expect(status).not.toMatch(/^(kmsg|mem|kvm|fuse|sda|vda|loop\d*|dm-\d+)$/m);
  expect(status).toMatch(/docker\.sock: No such file/);
}

test(`${files} made-up files get nothing beyond the list (seed ${seed})`, async (context) => {
  let programs = 0;
  for (let n = 0; n < files; n += 1) {
    const content = randomFile();
    const { plan, diagnostics } = compile({ file: ".forgeline.yml", text: content });
    expect(diagnostics, content).toEqual([]);
    const said = await play(plan!.jobs[0]!);
    for (const status of said) expectNothingMore(status);
    programs += said.length;
  }
  for (const options of asked) {
    expectCaged(options);
    expect(options.HostConfig?.NetworkMode).not.toMatch(/^(?:host|container:.*|bridge|default)$/);
    for (const { Source, Target } of options.HostConfig?.Mounts ?? []) {
      expect(Source.startsWith(bed.workDir), `${Source} at ${Target}`).toBe(true);
      expect(Target).toMatch(
        /^\/(?:workspace|job(?:\/\d+)?|forgeline\/ca\.pem|forgeline-[0-9a-f]{16}\/(?:in|out|init))$/,
      );
    }
  }
  counted(context, { files, containers: asked.length, "programs that read what they may": programs });
  expect(programs).toBeGreaterThanOrEqual(2 * files);
});
