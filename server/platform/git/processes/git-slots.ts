/**
 * Limits Git work of one kind in this process, for every entry point: each slot is a process or two, and memory. A claim
 * without a free slot waits, and is refused after a time limit. Slots go to the user with the fewest, so that one with many
 * claims does not delay others; nobody takes more than half of the queue.
 */
import { AppError } from "../../app-error.ts";
import type { Metrics } from "../../metrics.ts";
import { createSlotMetrics } from "./slot-metrics.ts";
import { createSlowClients, type SlowClient } from "./slow-clients.ts";

/** What the slots are for. */
export interface SlotKind {
  /** Prefixes of its metrics: how many there are, and how long one waits. */
  names: {
    many: "exchanges" | "questions" | "background" | "readers" | "remotes";
    one: "exchange" | "question" | "background" | "reader" | "remote";
  };
  /** A request that waits costs little; memory for them still has an end. */
  waitingPerSlot: number;
}

export const exchangeKind: SlotKind = {
  names: { many: "exchanges", one: "exchange" },
  waitingPerSlot: 16,
};

export interface SlotLimits {
  /** Limits at a time: in this process, for one repository, and for one user or address. */
  inAll: number;
  ofRepository: number;
  ofUser: number;
  /** Of one account: its own, and of the deploy keys and jobs of its repositories. No limit where nothing is said. */
  ofAccount?: number;
  /** For all anonymous clients. No limit if absent. */
  ofStrangers?: number;
  /** How long one waits for a slot. */
  waitMs: number;
}

export interface Claim {
  repositoryId: string;
  /** Key of the user, or of the address of an anonymous client. */
  user: string;
  /** Name of the account that it counts for; undefined for anonymous clients and for our own work. */
  account?: string | undefined;
  isAnonymous?: boolean | undefined;
  /** The client it is for, if that client may be too slow for it. */
  client?: SlowClient | undefined;
  /** Aborts when nobody waits any more. */
  gone?: AbortSignal | undefined;
  /** The request had a slot before: a full queue does not end it halfway. */
  hasBegun?: boolean;
}

export interface GitSlots {
  /**
   * Resolves with a function that gives the slot back. Throws `unavailable`, which names the limit, after the time limit, or at
   * once if too many wait already.
   */
  enter(claim: Claim): Promise<() => void>;
  /** Somebody waits. */
  isCrowded(): boolean;
}

type Limit = "server" | "repository" | "user" | "account" | "strangers" | "queue";

interface Waiting {
  claim: Claim;
  enter(): void;
}

const retryAfterSeconds = 10;

export function createGitSlots(
  limits: SlotLimits,
  registry: Metrics,
  kind: SlotKind = exchangeKind,
): GitSlots {
  const running = {
    claims: new Set<Claim>(),
    repositories: new Map<string, number>(),
    users: new Map<string, number>(),
    accounts: new Map<string, number>(),
    strangers: 0,
  };
  const waiting = new Set<Waiting>();
  const waitingOf = new Map<string, number>();
  /** Of those who wait. */
  let newcomers = 0;
  const metrics = createSlotMetrics(registry, kind, () => ({
    running: running.claims.size,
    waiting: waiting.size,
  }));
  const slowClients = createSlowClients({
    waiting: () => [...waiting].map(({ claim }) => claim),
    running: () => running.claims,
    heldBy: (user) => running.users.get(user) ?? 0,
    isBlocking: (held, claim) => sharesLimit(held, claim, exhaustedLimit(claim)),
    ended: () => metrics.ended.inc(),
  });

  function exhaustedLimit({
    repositoryId,
    user,
    account,
    isAnonymous,
  }: Claim): Exclude<Limit, "queue"> | undefined {
    const { ofAccount = Infinity, ofStrangers = Infinity } = limits;
    if ((running.users.get(user) ?? 0) >= limits.ofUser) return "user";
    if (account !== undefined && (running.accounts.get(account) ?? 0) >= ofAccount) return "account";
    if ((running.repositories.get(repositoryId) ?? 0) >= limits.ofRepository) return "repository";
    if (isAnonymous && running.strangers >= ofStrangers) return "strangers";
    return running.claims.size >= limits.inAll ? "server" : undefined;
  }

  function change(claim: Claim, by: 1 | -1): void {
    if (by > 0) running.claims.add(claim);
    else running.claims.delete(claim);
    add(running.repositories, claim.repositoryId, by);
    add(running.users, claim.user, by);
    if (claim.account !== undefined) add(running.accounts, claim.account, by);
    if (claim.isAnonymous) running.strangers += by;
  }

  /** Admits, among those that may start, the one whose user runs the fewest; among equals, the first. False if none may. */
  function admitNext(): boolean {
    let next: Waiting | undefined;
    let fewest = Infinity;
    for (const each of waiting) {
      const count = running.users.get(each.claim.user) ?? 0;
      if (count >= fewest || exhaustedLimit(each.claim)) continue;
      next = each;
      fewest = count;
    }
    next?.enter();
    return next !== undefined;
  }

  function take(asked: Claim): () => void {
    // Its own, should the same claim be made twice.
    const claim = { ...asked };
    change(claim, 1);
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      change(claim, -1);
      // One that ends makes room for its user, in its repository and overall: another may have waited for any of these.
      while (admitNext());
    };
  }

  function refuse(full: Limit): AppError {
    metrics.refused.inc({ full });
    return new AppError("unavailable", { message: words[full], retryAfterSeconds });
  }

  /** Undefined while there is room. */
  function exhaustedQueue({ user, hasBegun }: Claim): Limit | undefined {
    const max = limits.inAll * kind.waitingPerSlot;
    const ofUser = waitingOf.get(user) ?? 0;
    if (hasBegun) return ofUser >= max ? "user" : undefined;
    // Those that have begun do not count here, because they have another limit.
    if (newcomers >= max) return "queue";
    return ofUser >= max / 2 ? "user" : undefined;
  }

  function wait(claim: Claim): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const leaveQueue = () => {
        waiting.delete(entry);
        add(waitingOf, claim.user, -1);
        if (!claim.hasBegun) newcomers -= 1;
        clearTimeout(timer);
        claim.gone?.removeEventListener("abort", giveUp);
      };
      const giveUp = () => {
        leaveQueue();
        reject(new AppError("unavailable"));
      };
      const timer = setTimeout(() => {
        leaveQueue();
        reject(refuse(exhaustedLimit(claim) ?? "server"));
      }, limits.waitMs);
      const entry: Waiting = {
        claim,
        enter() {
          leaveQueue();
          resolve(take(claim));
        },
      };
      waiting.add(entry);
      slowClients.watch();
      add(waitingOf, claim.user, 1);
      if (!claim.hasBegun) newcomers += 1;
      claim.gone?.addEventListener("abort", giveUp);
    });
  }

  return {
    isCrowded: () => waiting.size > 0,
    async enter(claim) {
      if (claim.gone?.aborted) throw new AppError("unavailable");
      if (!exhaustedLimit(claim)) {
        metrics.waited.observe(0);
        return take(claim);
      }
      const full = exhaustedQueue(claim);
      if (full) throw refuse(full);
      const stop = metrics.waited.startTimer();
      const leave = await wait(claim);
      stop();
      return leave;
    },
  };
}

const words: Record<Limit, string> = {
  server: "This server is running as many Git operations as it can. Try again in a minute.",
  repository: "This repository has reached its limit of concurrent Git operations. Try again in a minute.",
  user: "You have reached the limit of concurrent Git operations per user. Try again when some have finished.",
  account:
    "This account, including the keys and jobs of its repositories, has reached its limit of concurrent Git operations. Try again when some have finished.",
  strangers:
    "This server is running as many anonymous Git operations as it can. Log in, or try again in a minute.",
  queue: "Too many Git operations are waiting for this server. Try again in a minute.",
};

/** Whether a slot that is held is one of those that there are too many of. */
function sharesLimit(held: Claim, claim: Claim, full: Limit | undefined): boolean {
  if (full === "user") return held.user === claim.user;
  if (full === "account") return held.account === claim.account;
  if (full === "repository") return held.repositoryId === claim.repositoryId;
  if (full === "strangers") return held.isAnonymous === true;
  return full === "server";
}

function add(counts: Map<string, number>, key: string, by: 1 | -1): void {
  const count = (counts.get(key) ?? 0) + by;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}
