/** The test bed for the time of some work: `npm test`, `npm run mutants`. */
import { join } from "node:path";
import { ensureBaseImage } from "@forgeline/launcher/base-image.ts";
import { loadLauncherConfig } from "@forgeline/launcher/config.ts";
import { ensureDocker } from "@forgeline/launcher/docker/find.ts";
import { listenForStop, type StopRequest } from "@forgeline/launcher/stop-request.ts";
import { startBed } from "./bed.ts";
import { compileCache } from "./compile-cache.ts";
import { setUpPrograms } from "./programs/set-up.ts";
import { makeRunDirectory, removeRunDirectory } from "./run-directory.ts";

export const printLine = (line: string) => console.log(`test bed       ${line}`);

export interface OnBedOptions<T> {
  /** What the tests use beside the bed; made while it starts. */
  makeReady?: (cache: string) => Promise<unknown>;
  /** Finds the bed in its environment. It is to end when it is asked to stop. */
  work(stop: StopRequest): Promise<T>;
}

/** Docker, PostgreSQL and Temporal; they are stopped in any case, also at Ctrl-C. */
export async function onBed<T>({ makeReady, work }: OnBedOptions<T>): Promise<T> {
  const config = loadLauncherConfig();
  const stop = listenForStop();
  await setUpPrograms({ env: config.inherited, say: printLine, signal: stop.signal });
  const docker = await ensureDocker({
    dockerHost: config.dockerHost,
    env: config.inherited,
    runDirectory: join(config.cache, "docker"),
    say: printLine,
    signal: stop.signal,
  });
  const directory = await makeRunDirectory();
  try {
    const starting = startBed({ directory, say: printLine });
    try {
      const ready = [ensureBaseImage(docker.client), makeReady?.(config.cache)];
      const [running] = await Promise.all([starting, ...ready]);
      process.env["FORGELINE_TEST_BED"] = running.file;
      process.env["TMPDIR"] = directory;
      Object.assign(process.env, compileCache);
      return await work(stop);
    } finally {
      await starting.then(
        (running) => running.stop(),
        () => undefined,
      );
    }
  } finally {
    await docker.stop();
    await removeRunDirectory(directory);
  }
}
