/** What the scenarios run on: a bed, an instance of its own, three runners and a repository. All of it ends with `stop`. */
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { ensureBaseImage } from "@forgeline/launcher/base-image.ts";
import { loadLauncherConfig } from "@forgeline/launcher/config.ts";
import { ensureDocker } from "@forgeline/launcher/docker/find.ts";
import { run } from "@forgeline/launcher/run.ts";
import { freeLowPort } from "@forgeline/launcher/free-port.ts";
import { startBed } from "../test/support/bed.ts";
import { startTestInstance } from "../test/support/instance.ts";
import { webDirectory } from "../test/support/web/visitor.ts";
import { createBenchClient } from "./client.ts";
import { pipelineFiles } from "./pipeline-files.ts";
import { createBenchRepository } from "./repository.ts";
import type { Bench } from "./scenario.ts";

type Cleanup = () => Promise<unknown> | undefined;

/** `ends` is filled while things come up, so that a failure half-way leaves nothing either. */
export async function startBench(options: {
  rounds: number;
  rows: number;
  say: (line: string) => void;
  ends: Cleanup[];
}): Promise<Bench> {
  const { say, ends, rounds, rows } = options;
  const directory = await mkdtemp(join(tmpdir(), "forgeline-bench-"));
  // PostgreSQL runs as another user when we are root and has to pass through.
  await chmod(directory, 0o755);
  ends.push(() => rm(directory, { recursive: true, force: true }));
  const config = loadLauncherConfig();
  const docker = await ensureDocker({
    dockerHost: config.dockerHost,
    env: config.inherited,
    runDirectory: join(config.cache, "docker"),
    say,
  });
  ends.push(() => docker.stop());
  await ensureBaseImage(docker.client);
  if (process.env["FORGELINE_TEST_BED"] === undefined) {
    const bed = await startBed({ directory: join(directory, "bed"), say, isDurable: true });
    process.env["FORGELINE_TEST_BED"] = bed.file;
    ends.push(() => bed.stop());
  }
  say(`web interface: ${(await run(process.execPath, ["web/build.ts"], { env: process.env })).trim()}`);
  // A limit that nobody reaches, but that is counted.
  const sshPort = await freeLowPort();
  const env = {
    FORGELINE_LOG_LEVEL: "warn",
    FORGELINE_LIMIT_CORE: "1000000000",
    FORGELINE_SSH_PORT: String(sshPort),
    FORGELINE_WEB_DIR: webDirectory,
  };
  const instance = await startTestInstance({ runners: 0, env });
  ends.push(() => instance.stop());
  say("instance is up");
  await instance.addRunner("warm", { labels: ["speed=warm"], capacity: 4 });
  await instance.addRunner("cold", {
    labels: ["speed=cold"],
    capacity: 4,
    env: { FORGELINE_RUNNER_POOL: "0" },
  });
  await instance.addRunner("fake", {
    labels: ["speed=fake"],
    capacity: 64,
    env: { FORGELINE_RUNNER_ENGINE: "fake" },
  });
  const database = new pg.Client({ connectionString: instance.database.url });
  await database.connect();
  ends.push(() => database.end());
  const client = await createBenchClient(instance);
  ends.push(() => Promise.resolve(client.close()));
  const repository = await createBenchRepository(instance, directory, "bench", pipelineFiles);
  say("runners and repository are up");
  return {
    instance,
    client,
    repository,
    docker: docker.client,
    database,
    directory,
    sshPort,
    rounds,
    rows,
    say,
  };
}
