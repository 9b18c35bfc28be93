/** Chooses and configures the engine that runs the jobs. */
import { join } from "node:path";
import Dockerode from "dockerode";
import type { Logger } from "pino";
import type { RunnerConfig } from "./config.ts";
import { dockerAddress } from "./docker-address.ts";
import { createDockerEngine } from "./engine/docker/docker-engine.ts";
import type { Engine } from "./engine/engine.ts";
import { createFakeEngine } from "./engine/fake/fake-engine.ts";
import { createProcessEngine } from "./engine/process/process-engine.ts";

export function createEngine(config: RunnerConfig, logger: Logger): Engine {
  const workDir = join(config.home, "jobs");
  const onNote = (line: string) => logger.info({ engine: config.engine }, line);
  const onWarning = (line: string) => logger.warn({ engine: config.engine }, line);
  if (config.engine === "fake") return createFakeEngine({ workDir, onNote });
  if (config.engine === "process")
    return createProcessEngine({ ...config, workDir, path: config.hostEnv["PATH"] ?? "", onWarning });
  const docker =
    config.dockerHost === null ? new Dockerode() : new Dockerode(dockerAddress(config.dockerHost));
  return createDockerEngine({
    runnerId: config.runnerId,
    workDir,
    docker,
    limits: config.limits,
    localImages: config.localImages,
    poolSize: config.poolSize,
    imageCache: { maxBytes: config.imageCacheBytes },
    egress: config.egress,
    privileged: config.privileged,
    onNote,
    onWarning,
  });
}
