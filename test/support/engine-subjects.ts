/** The engines that the conformance suite asks, and a job for them. */
import { openEgress } from "@forgeline/runner/egress/settings.ts";
import { createDockerEngine } from "@forgeline/runner/engine/docker/docker-engine.ts";
import type { Engine, EngineJob } from "@forgeline/runner/engine/engine.ts";
import { createFakeEngine } from "@forgeline/runner/engine/fake/fake-engine.ts";
import { createProcessEngine } from "@forgeline/runner/engine/process/process-engine.ts";
import { testLimits } from "./runner-limits.ts";

const never = new AbortController().signal;
/** Tells names of this process from those of others. */
export const suffix = `${String(process.pid)}${Date.now().toString(36)}`;

export interface EngineSubject {
  name: string;
  /** null: there are no containers, and so no images and services. */
  images: {
    absent: string;
    /** On the machine, and in no registry. */
    hereOnly: string;
  } | null;
  /** A new agent: knows nothing but the directory, as after a restart. */
  create: (workDir: string) => Engine;
}

export const engineSubjects: readonly EngineSubject[] = [
  {
    name: "fake",
    images: { absent: "fake/absent:1", hereOnly: "fake/here:1" },
    create: (workDir) => createFakeEngine({ workDir }),
  },
  {
    name: "docker",
    images: { absent: "localhost:1/absent:1", hereOnly: `localhost:1/here-${suffix}:1` },
    create: (workDir) =>
      createDockerEngine({
        runnerId: `rnr_conf${suffix}`,
        workDir,
        limits: testLimits,
        poolSize: 0,
        scriptsDir: `${workDir}-in`,
      }),
  },
  {
    name: "process",
    images: null,
    create: (workDir) => processEngine(workDir),
  },
];

/** As a runner of its own would have it. */
export function processEngine(workDir: string): Engine {
  return createProcessEngine({
    runnerId: `rnr_conf${suffix}`,
    workDir,
    limits: testLimits,
    egress: openEgress,
    path: process.env["PATH"] ?? "/usr/bin:/bin",
    onWarning: (line) => {
      throw new Error(line);
    },
  });
}

/** Of a job that runs without a container. */
export function processJob(leaseKey: string): EngineJob {
  return { ...engineJob(leaseKey, ""), services: [], runnerLabels: ["executor=process"] };
}

const nothing = { cpu: null, memoryBytes: null, shmBytes: null };

export function engineJob(leaseKey: string, image = "forgeline/base:1"): EngineJob {
  return {
    leaseKey,
    repositoryId: "repo_conformance",
    image: { name: image, user: null },
    resources: nothing,
    services: [{ key: "db", resources: nothing }],
    stepContainers: 0,
    sharedWorkspace: null,
    extraHosts: [],
    caFile: null,
    onProgress: () => undefined,
    signal: never,
  };
}
