/**
 * An engine that executes nothing: for measuring everything around it, and for tests. Its outcomes are written in the
 * scripts (`timeline.ts`) and in the names of images: `fake/absent` cannot be pulled, `fake/here` only is on the
 * machine (so `pull: always` fails), `fake/no-shell` has no shell, a service of `fake/unready` never gets ready. It keeps files as the real one does, re-attach and sweep included.
 */
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { Readable } from "node:stream";
import { finished } from "node:stream/promises";
import type { PlanImage } from "@forgeline/schemas/pipeline-file/plan.ts";
import { z } from "zod";
import {
  EngineError,
  type Engine,
  type JobEnvironment,
  type JobHandle,
  type RunningService,
} from "../engine.ts";
import type { ContainerFiles } from "../container-files.ts";
import { diskUsage } from "../disk-usage.ts";
import { Deadline } from "../../deadline.ts";
import { openFakeShell } from "./fake-shell.ts";
import { loseFakeStep, resumeFakeStep, startFakeStep } from "./fake-step.ts";

export interface FakeEngineOptions {
  workDir: string;
  onNote?: (line: string) => void;
}

const FakeRecord = z.object({
  leaseKey: z.string(),
  repositoryId: z.string(),
  services: z.array(z.string()),
  sharedWorkspace: z.string().nullable(),
});
type FakeRecord = z.infer<typeof FakeRecord>;

/** Nothing is executed, so no container has files; what is put into it is read to its end. */
const noFiles: ContainerFiles = {
  user: { uid: 0, gid: 0, home: "/root" },
  stat: () => Promise.resolve(null),
  read: () => Readable.from([]),
  write: (archive) => finished(Readable.from(archive).resume()),
};

function checkImage({ name, pull }: z.infer<typeof PlanImage>): void {
  if (name.startsWith("fake/absent") || (name.startsWith("fake/here") && pull === "always"))
    throw new EngineError("image_pull", `Image ${JSON.stringify(name)} does not exist.`);
  if (name.startsWith("fake/no-shell")) throw new EngineError("no_shell", "The image has no `sh`.");
}

function keyOf(leaseKey: string): string {
  return `fake-${leaseKey.replaceAll(/[^\w.-]/g, "-")}`;
}

async function readFakeRecord(jobDir: string): Promise<FakeRecord | null> {
  try {
    return FakeRecord.parse(JSON.parse(await readFile(join(jobDir, "job.json"), "utf8")));
  } catch {
    return null;
  }
}

export function createFakeEngine(options: FakeEngineOptions): Engine {
  const workDir = resolve(options.workDir);
  const active = new Set<string>();
  const onFailure = (error: unknown): void => options.onNote?.(String(error));

  const workspaceOf = (jobDir: string, { sharedWorkspace }: Pick<FakeRecord, "sharedWorkspace">): string =>
    join(sharedWorkspace === null ? jobDir : join(workDir, keyOf(sharedWorkspace)), "workspace");

  function environment(jobDir: string, record: FakeRecord): JobEnvironment {
    const { leaseKey, repositoryId } = record;
    const handle: JobHandle = {
      leaseKey,
      repositoryId,
      jobDir,
      containerId: basename(jobDir),
      networkId: null,
      volume: null,
    };
    const services = record.services.map((key): RunningService => ({
      key,
      outputFile: join(jobDir, `service-${key}.out`),
    }));
    const begun = new Set<number>();
    const fence = new Deadline();
    return {
      handle,
      workspaceDir: workspaceOf(jobDir, record),
      ready: () => Promise.resolve(),
      files: () => Promise.resolve(noFiles),
      openWorkspace: () => Promise.resolve(),
      services: () => [...services],
      endServices: () => Promise.resolve([]),
      async startServices(wanted, onService, signal) {
        signal.throwIfAborted();
        for (const { key, image } of wanted) {
          checkImage(image);
          const service = { key, outputFile: join(jobDir, `service-${key}.out`) };
          await writeFile(service.outputFile, `${key} is ready\n`, { mode: 0o600 });
          services.push(service);
          onService(service);
          if (image.name.startsWith("fake/unready")) {
            throw new EngineError("service_not_ready", `Service ${key} was not ready within 0 s.`);
          }
        }
        const keys = services.map(({ key }) => key);
        await writeFile(join(jobDir, "job.json"), JSON.stringify({ ...record, services: keys }));
      },
      async runStep(command, signal) {
        signal.throwIfAborted();
        if (command.image !== null) checkImage(command.image);
        begun.add(command.position);
        return startFakeStep(jobDir, command, onFailure);
      },
      reattachStep: (position) => {
        begun.add(position);
        return resumeFakeStep(jobDir, position, onFailure);
      },
      openShell: () => Promise.resolve(openFakeShell()),
      endShells: () => Promise.resolve(),
      fence(ms) {
        const lose = (position: number) =>
          void loseFakeStep(jobDir, position, "Its time was over.").catch(onFailure);
        if (ms === null) fence.clear();
        else fence.set(ms, () => begun.forEach(lose));
        return Promise.resolve();
      },
      diskUsage: () => diskUsage(jobDir),
      unlinkedBytes: () => Promise.resolve({ bytes: 0 }),
      async destroy() {
        fence.clear();
        await rm(jobDir, { recursive: true, force: true, maxRetries: 3 });
        active.delete(basename(jobDir));
      },
    };
  }

  return {
    async prepare(job) {
      job.signal.throwIfAborted();
      checkImage(job.image);
      const jobDir = join(workDir, keyOf(job.leaseKey));
      active.add(keyOf(job.leaseKey));
      const { leaseKey, repositoryId, sharedWorkspace } = job;
      if (sharedWorkspace !== null) active.add(keyOf(sharedWorkspace));
      await mkdir(jobDir, { recursive: true, mode: 0o700 });
      await mkdir(workspaceOf(jobDir, job), { recursive: true, mode: 0o700 });
      const record = { leaseKey, repositoryId, sharedWorkspace, services: [] };
      await writeFile(join(jobDir, "job.json"), JSON.stringify(record));
      return environment(jobDir, record);
    },
    async reattach(handle) {
      const jobDir = join(workDir, basename(handle.jobDir));
      const record = await readFakeRecord(jobDir);
      if (record === null || record.leaseKey !== handle.leaseKey) return null;
      active.add(basename(jobDir));
      return environment(jobDir, record);
    },
    async discard(handle) {
      await rm(join(workDir, basename(handle.jobDir)), { recursive: true, force: true, maxRetries: 3 });
      active.delete(basename(handle.jobDir));
    },
    async removeWorkspace(name) {
      await rm(join(workDir, keyOf(name)), { recursive: true, force: true, maxRetries: 3 });
      active.delete(keyOf(name));
    },
    async sweep(keep) {
      await mkdir(workDir, { recursive: true, mode: 0o700 });
      const kept = new Set([...keep].map(keyOf));
      const names = (await readdir(workDir)).filter((name) => name.startsWith("fake-"));
      const left = names.filter((name) => !kept.has(name) && !active.has(name));
      for (const name of left) await rm(join(workDir, name), { recursive: true, force: true });
      return { containers: left.length, networks: left.length, volumes: left.length };
    },
    images: () => Promise.resolve(["forgeline/base:1"]),
    storageDirectory: () => Promise.resolve(null),
    stopPulls: () => undefined,
    warnings: () => Promise.resolve([]),
    obstacle: () => Promise.resolve(null),
    kind: () => Promise.resolve(null),
    features: () => [],
    filterEgress: () => Promise.resolve({ state: "open", reason: null, allow: [] }),
    serverAt: () => undefined,
    warm: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}
