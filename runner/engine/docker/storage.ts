/** Where the daemon has its images and layers. */
import { stat } from "node:fs/promises";
import type Dockerode from "dockerode";
import type { EngineContext } from "./context.ts";
import type { Daemon } from "./daemon.ts";

/** As the daemon says; null where it says nothing. Never rejects. */
export async function storageDirectory(docker: Dockerode, daemon: Daemon): Promise<string | null> {
  return daemon
    .ask(() => docker.info() as Promise<{ DockerRootDir?: string }>)
    .then(
      ({ DockerRootDir }) => DockerRootDir ?? null,
      () => null,
    );
}

const told = new WeakMap<EngineContext, string>();

/** On another disk than the jobs' directories, as far as can be seen from here. */
export async function isStorageApart(context: EngineContext): Promise<boolean> {
  const { docker, daemon, workDir } = context;
  const directory = told.get(context) ?? (await storageDirectory(docker, daemon));
  if (directory === null) return false;
  told.set(context, directory);
  return Promise.all([directory, workDir].map((path) => stat(path))).then(
    ([storage, jobs]) => storage?.dev !== jobs?.dev,
    () => false,
  );
}
