/**
 * One network that waits, so that a job for which no container waits need not wait for a network too, which takes a
 * daemon half as long as starting the container. It is labelled like a waiting container, and swept like one.
 */
import { randomBytes } from "node:crypto";
import type { EngineContext } from "./context.ts";
import { daemonMessage } from "./daemon.ts";
import { makeNetwork } from "./job-network.ts";
import type { Owner } from "./labels.ts";
import { removeJob } from "./removal.ts";

export interface SpareNetwork {
  owner: Owner;
  networkId: string;
}

export interface SpareNetworks {
  /** The caller owns it from here; null when none waits. */
  take(): Promise<SpareNetwork | null>;
  /** Makes one where none waits. Never rejects. */
  fill(): Promise<void>;
  close(): Promise<void>;
}

/** The owner of what is made before its lease is known. */
export function warmOwner(runnerId: string): Owner {
  const leaseKey = `warm-${randomBytes(8).toString("hex")}`;
  return { runnerId, leaseKey, jobKey: `forgeline-${leaseKey}` };
}

export function createSpareNetworks(context: EngineContext): SpareNetworks {
  let waiting: SpareNetwork | null = null;
  let making: Promise<void> | null = null;
  let creating: Promise<void> | null = null;
  let closed = false;

  async function discard({ owner }: SpareNetwork): Promise<void> {
    await removeJob(context, owner.jobKey).catch((error: unknown) =>
      context.onNote(`A prepared network could not be removed: ${daemonMessage(error)}`),
    );
    context.active.delete(owner.jobKey);
  }

  async function create(): Promise<void> {
    const owner = warmOwner(context.runnerId);
    context.active.add(owner.jobKey);
    try {
      const made = { owner, networkId: await makeNetwork(context, owner) };
      if (closed) await discard(made);
      else waiting = made;
    } catch (error) {
      context.active.delete(owner.jobKey);
      context.onNote(`No network could be prepared: ${daemonMessage(error)}`);
    }
  }

  async function make(): Promise<void> {
    await context.quietTime.whenQuiet();
    if (closed) return;
    creating = create();
    await creating;
    creating = null;
  }

  return {
    async take() {
      // One that is just being made is there sooner than another.
      await creating;
      const taken = waiting;
      waiting = null;
      if (taken === null) return null;
      // Operators prune networks that nothing uses.
      const { docker, daemon } = context;
      if ((await daemon.find(() => docker.getNetwork(taken.networkId).inspect())) !== null) return taken;
      context.active.delete(taken.owner.jobKey);
      return null;
    },
    async fill() {
      if (closed || waiting !== null) return;
      making ??= make().finally(() => {
        making = null;
      });
      await making;
    },
    async close() {
      closed = true;
      await making;
      if (waiting !== null) await discard(waiting);
      waiting = null;
    },
  };
}
