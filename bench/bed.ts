/** What the scenarios run on: an instance of its own, three runners and a repository. All of it ends with `ends`. */
import type Dockerode from "dockerode";
import pg from "pg";
import { freeLowPort } from "@forgeline/launcher/free-port.ts";
import { readBed } from "../test/support/bed.ts";
import { startTestInstance, type TestInstance } from "../test/support/instance.ts";
import { webDirectory } from "../test/support/web/visitor.ts";
import { createBenchClient } from "./client.ts";
import { pipelineFiles } from "./pipeline-files.ts";
import { createBenchRepository } from "./repository.ts";
import type { Bench } from "./scenario.ts";
import type { BenchSize } from "./size.ts";

export type Cleanup = () => Promise<unknown> | undefined;

export interface BenchOptions {
  size: BenchSize;
  docker: Dockerode;
  /** Where scenarios keep their files; the caller removes it. */
  directory: string;
  say: (line: string) => void;
  /** Filled while things come up, so that a failure half-way leaves nothing either; to be called from the last. */
  ends: Cleanup[];
}

/** On the bed that `FORGELINE_TEST_BED` names. */
export async function startBench(options: BenchOptions): Promise<Bench> {
  const { size, docker, directory, say, ends } = options;
  const sshPort = await freeLowPort();
  const env = {
    FORGELINE_LOG_LEVEL: "warn",
    // A limit that nobody reaches, but that is counted.
    FORGELINE_LIMIT_CORE: "1000000000",
    FORGELINE_SSH_PORT: String(sshPort),
    FORGELINE_WEB_DIR: webDirectory,
    // Receivers of webhooks are on this machine, with a certificate of the bed.
    FORGELINE_OUTBOUND_ALLOW: "127.0.0.1",
    FORGELINE_OUTBOUND_CA_FILE: (await readBed()).certificates.caFile,
  };
  const instance = await startTestInstance({ runners: 0, env });
  ends.push(() => instance.stop());
  say("instance is up");
  await addRunners(instance, size);
  const database = new pg.Client({ connectionString: instance.database.url });
  await database.connect();
  ends.push(() => database.end());
  const client = await createBenchClient(instance);
  ends.push(() => Promise.resolve(client.close()));
  const files = pipelineFiles(size);
  const repository = await createBenchRepository(instance, { directory, name: "bench", files });
  say("runners and repository are up");
  return { instance, client, repository, docker, database, directory, sshPort, size, say };
}

/** Told apart by the label `speed`. */
async function addRunners(instance: TestInstance, { waitingContainers }: BenchSize): Promise<void> {
  await Promise.all([
    instance.addRunner("warm", {
      labels: ["speed=warm"],
      capacity: 4,
      env: { FORGELINE_RUNNER_POOL: String(waitingContainers) },
    }),
    instance.addRunner("cold", { labels: ["speed=cold"], capacity: 4 }),
    instance.addRunner("fake", {
      labels: ["speed=fake"],
      capacity: 64,
      env: { FORGELINE_RUNNER_ENGINE: "fake" },
    }),
  ]);
}
