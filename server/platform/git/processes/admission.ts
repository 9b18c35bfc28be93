/**
 * Admits every Git process, whichever entry point it works for. The caller is named once, at the entry point; every process
 * started from there on counts for them. Slots are held by running processes, never by waiting ones: a question holds one until
 * its process ends, and waits for nothing meanwhile; processes started under a held slot (by a push's hooks) need no other. So
 * nobody can wait forever.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { basename } from "node:path";
import type { Metrics } from "../../metrics.ts";
import {
  createGitSlots,
  exchangeKind,
  type Claim,
  type GitSlots,
  type SlotKind,
  type SlotLimits,
} from "./git-slots.ts";
import type { Claimant } from "./exchange-claim.ts";
import type { GitStart } from "./run-git.ts";

/** The caller for whom Git is started. */
export interface GitAsker extends Claimant {
  /** Aborts when nobody waits for the answer any more; only for work that may be interrupted. */
  gone?: () => AbortSignal;
  /** Called whenever Git is asked, before the wait for a slot. */
  onGit?: () => void;
}

interface Asking extends GitAsker {
  /** Something of it was admitted before. */
  hasBegun: boolean;
  /** The signal that `gone` returned. */
  isGone?: AbortSignal | undefined;
  /** One question after the other, under the slot that is held; undefined where each gets its own. */
  turn?: () => Promise<() => void>;
}

const askings = new AsyncLocalStorage<Asking | undefined>();

/** Git processes of `work` count for this asker. */
export function runGitFor<T>(asker: GitAsker, work: () => Promise<T>): Promise<T> {
  return askings.run({ ...asker, hasBegun: false }, work);
}

/** `work` has a slot, which its processes share. Its questions run one after the other. */
export function withinSlot<T>(work: () => Promise<T>): Promise<T> {
  return askings.run({ user: "", hasBegun: true, turn: createTurns() }, work);
}

/** For work that serves many, and must not count for the caller who happened to come first. */
export function withoutCaller<T>(work: () => T): T {
  return askings.run(undefined, work);
}

/** For callbacks of sockets, which run outside of the work's asynchronous context. */
export const sameAsker: typeof AsyncLocalStorage.bind = (callback) => AsyncLocalStorage.bind(callback);

export interface GitAdmission {
  /** Clones, fetches, pushes and downloads: from the first process to the last. */
  exchanges: GitSlots;
  /** Resolves with a function that gives the slot back. Throws `unavailable`, or the signal's reason. */
  admit(start: AdmittedStart): Promise<() => void>;
  /** Whether questions wait, so that Git processes should give way to the server itself. */
  isCrowded(): boolean;
  /** Runs related processes under one slot. */
  together<T>(directory: string, work: () => Promise<T>): Promise<T>;
}

type AdmittedStart = Pick<
  GitStart,
  "directory" | "signal" | "client" | "isQuestion" | "isReader" | "isRemote"
>;

export interface AdmissionLimits {
  exchanges: SlotLimits;
  questions: SlotLimits;
  /** Background processes: maintenance, statistics, forks. */
  background: number;
  /** Shared processes that read objects. */
  readers: number;
  /** Processes that talk to others' servers, however slow those are. */
  remotes: number;
}

const questionKind: SlotKind = {
  names: { many: "questions", one: "question" },
  waitingPerSlot: 64,
};
const backgroundKind: SlotKind = {
  names: { many: "background", one: "background" },
  waitingPerSlot: 64,
};
const remoteKind: SlotKind = {
  names: { many: "remotes", one: "remote" },
  waitingPerSlot: 64,
};
const readerKind: SlotKind = {
  names: { many: "readers", one: "reader" },
  waitingPerSlot: 64,
};

export function createGitAdmission(limits: AdmissionLimits, registry: Metrics): GitAdmission {
  const { waitMs } = limits.questions;
  const only = (max: number) => ({ inAll: max, ofRepository: max, ofUser: max, waitMs });
  const exchanges = createGitSlots(limits.exchanges, registry, exchangeKind);
  const questions = createGitSlots(limits.questions, registry, questionKind);
  const background = createGitSlots(only(limits.background), registry, backgroundKind);
  const readers = createGitSlots(only(limits.readers), registry, readerKind);
  const remotes = createGitSlots(only(limits.remotes), registry, remoteKind);

  async function enter(start: AdmittedStart): Promise<() => void> {
    const repositoryId = basename(start.directory, ".git");
    if (start.isRemote) return remotes.enter({ repositoryId, user: repositoryId, gone: start.signal });
    if (start.isReader) return readers.enter({ repositoryId, user: repositoryId });
    const asking = askings.getStore();
    if (!asking) return background.enter({ repositoryId, user: repositoryId, gone: start.signal });
    if (asking.turn) return start.isQuestion ? asking.turn() : () => undefined;
    asking.onGit?.();
    const claim = claimOf(asking, repositoryId, start);
    const leave = await (start.isQuestion ? questions : exchanges).enter(claim);
    asking.hasBegun = true;
    return leave;
  }

  async function admit(start: AdmittedStart): Promise<() => void> {
    try {
      return await enter(start);
    } catch (error) {
      throw start.signal?.aborted ? start.signal.reason : error;
    }
  }

  return {
    exchanges,
    admit,
    isCrowded: () => questions.isCrowded(),
    async together(directory, work) {
      const leave = await admit({ directory });
      try {
        return await withinSlot(work);
      } finally {
        leave();
      }
    },
  };
}

function claimOf(asking: Asking, repositoryId: string, { signal, client }: AdmittedStart): Claim {
  const { user, account, isAnonymous, hasBegun } = asking;
  asking.isGone ??= asking.gone?.();
  const signals = [asking.isGone, signal].filter((each) => each !== undefined);
  const whose = { repositoryId, user, account, isAnonymous, client };
  return { ...whose, hasBegun, gone: signals.length > 1 ? AbortSignal.any(signals) : signals[0] };
}

/** Resolves, in the order of the calls, with a function that lets the next one continue. */
function createTurns(): () => Promise<() => void> {
  let last = Promise.resolve();
  return async () => {
    const before = last;
    const { promise, resolve } = Promise.withResolvers<void>();
    last = promise;
    await before;
    return resolve;
  };
}
