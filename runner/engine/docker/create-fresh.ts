/** Making an object of the daemon whose name an interrupted call may have taken. */
import { setTimeout as delay } from "node:timers/promises";
import type Dockerode from "dockerode";
import type { EngineContext } from "./context.ts";
import { statusOf } from "./daemon.ts";
import { removeWithRetries } from "./remove-with-retries.ts";

const patienceMs = 30_000;

/**
 * Replaces an object of the same name. The daemon finishes what a killed agent had requested: until it has, the name
 * is taken (409) by something that cannot be found yet (404), so both are repeated until the name is free.
 */
async function createReplacing<T>(
  context: Pick<EngineContext, "docker" | "daemon">,
  calls: { create: () => Promise<T>; removeOld: () => Promise<unknown> },
  signal?: AbortSignal,
): Promise<T> {
  const deadline = performance.now() + patienceMs;
  for (let pauseMs = 20; ; pauseMs = Math.min(pauseMs * 2, 1000)) {
    try {
      return await context.daemon.ask(calls.create, signal);
    } catch (error) {
      if (statusOf(error) !== 409 || performance.now() > deadline) throw error;
      await removeWithRetries(context, calls.removeOld);
    }
    await delay(pauseMs, undefined, signal === undefined ? {} : { signal });
  }
}

/** `options.name` belongs to the caller alone: what else carries it goes. */
export async function createFreshContainer(
  context: Pick<EngineContext, "docker" | "daemon">,
  options: Dockerode.ContainerCreateOptions & { name: string },
  signal: AbortSignal,
): Promise<Dockerode.Container> {
  const { docker } = context;
  return createReplacing(
    context,
    {
      create: () => docker.createContainer(options),
      removeOld: () => docker.getContainer(options.name).remove({ force: true, v: true }),
    },
    signal,
  );
}

/** Two networks of one name would be ambiguous. */
export async function createFreshNetwork(
  context: Pick<EngineContext, "docker" | "daemon">,
  options: Dockerode.NetworkCreateOptions,
): Promise<Dockerode.Network> {
  const { docker } = context;
  return createReplacing(context, {
    create: () => docker.createNetwork(options),
    removeOld: () => docker.getNetwork(options.Name).remove(),
  });
}
