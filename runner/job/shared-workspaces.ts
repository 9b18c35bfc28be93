/**
 * Workspaces of stages whose jobs run on this runner, one after another (`docs/architecture/placements.md`). A workspace outlives its jobs: it is
 * written to the state file before it is made, and goes when the server says so, or with the runner.
 */
import type { Logger } from "pino";
import type { LeaseSpec } from "@forgeline/schemas/runner-protocol/lease.ts";
import type { Engine } from "../engine/engine.ts";
import type { StateFile } from "../state/state-file.ts";
import { LostWorkspace } from "./lost-workspace.ts";

type Named = NonNullable<LeaseSpec["sharedWorkspace"]>;

/** What a job that works in one has of it. */
export interface JobWorkspace {
  id: string;
  /** Jobs before it have worked in it: nothing is cloned any more. */
  isFilled: boolean;
}

export interface SharedWorkspaces {
  /** All that there are on this machine. */
  ids(): string[];
  /**
   * Does the work, which ends when nothing of the job is left, once no other job of this runner uses the workspace: a lease may begin while what
   * the one before left is still being removed. At once where there is none, or when the signal aborts.
   */
  inTurn(named: Named | null, signal: AbortSignal, work: () => Promise<void>): Promise<void>;
  /** Throws `LostWorkspace` where jobs before have worked in it and it is not here. */
  open(named: Named): Promise<JobWorkspace>;
  /** A job that begins now has all that it needs in it. */
  filled(id: string): Promise<void>;
  /** Removes these unless a job uses them. Never rejects: what stays is asked about again. */
  release(ids: readonly string[]): Promise<void>;
  releaseAll(): Promise<void>;
}

export function createSharedWorkspaces(deps: {
  engine: Pick<Engine, "removeWorkspace">;
  state: Pick<StateFile, "workspaces" | "save">;
  logger: Logger;
}): SharedWorkspaces {
  const { engine, logger, state } = deps;
  const known = state.workspaces;
  /** When the last of those who want to use one is through. */
  const users = new Map<string, Promise<void>>();

  async function remove(id: string): Promise<void> {
    await engine.removeWorkspace(id);
    known.delete(id);
    await state.save();
  }

  async function enter(id: string, signal: AbortSignal): Promise<() => void> {
    const before = users.get(id);
    const mine = Promise.withResolvers<void>();
    const through = Promise.all([before, mine.promise]).then(() => undefined);
    users.set(id, through);
    if (before) await Promise.race([before, aborted(signal)]);
    return () => {
      mine.resolve();
      void through.then(() => {
        if (users.get(id) === through) users.delete(id);
      });
    };
  }

  async function open({ id, isNew }: Named): Promise<JobWorkspace> {
    const isFilled = known.get(id);
    if (isFilled === true) return { id, isFilled };
    if (!isNew) throw new LostWorkspace();
    // What a first job left that did not come to its first step.
    if (isFilled === false) await remove(id);
    known.set(id, false);
    await state.save();
    return { id, isFilled: false };
  }

  async function releaseOne(id: string): Promise<void> {
    if (!known.has(id) || users.has(id)) return;
    const leave = await enter(id, new AbortController().signal);
    await remove(id).catch((error: unknown) =>
      logger.error({ err: error, workspace: id }, "a shared workspace could not be removed; retrying"),
    );
    leave();
  }

  const release = async (ids: readonly string[]) => {
    await Promise.all(ids.map(releaseOne));
  };

  return {
    ids: () => [...known.keys()],
    async inTurn(named, signal, work) {
      if (named === null) return work();
      const leave = await enter(named.id, signal);
      await work().finally(leave);
    },
    open,
    async filled(id) {
      known.set(id, true);
      await state.save();
    },
    release,
    releaseAll: () => release([...known.keys()]),
  };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
