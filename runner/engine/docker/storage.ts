/** Where the daemon has its images and layers. */
import { stat } from "node:fs/promises";
import type { EngineContext } from "./context.ts";

/** As the daemon says; null where it says nothing. Never rejects. */
export async function storageDirectory({ daemonFacts }: EngineContext): Promise<string | null> {
  return daemonFacts().then(
    ({ storageDirectory: directory }) => directory,
    () => null,
  );
}

/** On another disk than the jobs' directories, as far as can be seen from here. */
export async function isStorageApart(context: EngineContext): Promise<boolean> {
  const directory = await storageDirectory(context);
  if (directory === null) return false;
  return Promise.all([directory, context.workDir].map((path) => stat(path))).then(
    ([storage, jobs]) => storage?.dev !== jobs?.dev,
    () => false,
  );
}
