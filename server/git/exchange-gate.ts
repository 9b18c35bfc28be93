/**
 * How much Git work of one kind may be under way in this process, over whatever door: each place is a process or two, and memory.
 * Who finds no place waits for one, and is told so when the wait is over. Places go to whoever has the fewest, so that one who
 * asks for many keeps nobody else waiting; nobody takes more than half of the queue.
 */
import { AppError } from "../platform/app-error.ts";
import { Counter, Gauge, Histogram, type Metrics } from "../platform/metrics.ts";

/** Of what the places are. */
export interface GateKind {
  /** Begins the names of its metrics: how many there are, and how long one waits. */
  names: { many: string; one: string };
  /** In the words of the metrics. */
  what: string;
  /** A request that waits costs little; memory for them still has an end. */
  waitingPerPlace: number;
}

export const exchangeKind: GateKind = {
  names: { many: "exchanges", one: "exchange" },
  what: "Git exchanges of this process, over HTTPS and SSH, and downloads of archives and large files",
  waitingPerPlace: 16,
};

export interface GateLimits {
  /** At a time in this process, of one repository, and of one user or address. */
  inAll: number;
  ofRepository: number;
  ofUser: number;
  /** How long one waits for a place. */
  waitMs: number;
}

export interface Claim {
  repositoryId: string;
  /** Key of the user, or of the address of who is none. */
  user: string;
  /** Aborted when nobody waits any more. */
  gone?: AbortSignal | undefined;
  /** Of a request that had a place before: a full queue does not end it halfway. */
  hasBegun?: boolean;
}

export interface ExchangeGate {
  /**
   * Resolves with what gives the place back. Throws `unavailable`, with what there is too much of, after the time to wait, or at
   * once where too many wait already.
   */
  enter(claim: Claim): Promise<() => void>;
  /** Somebody waits. */
  isCrowded(): boolean;
}

type Full = "server" | "repository" | "user" | "queue";

interface Waiting {
  claim: Claim;
  enter(): void;
}

const retryAfterSeconds = 10;

export function createExchangeGate(
  limits: GateLimits,
  registry: Metrics,
  kind: GateKind = exchangeKind,
): ExchangeGate {
  const running = { inAll: 0, repositories: new Map<string, number>(), users: new Map<string, number>() };
  const waiting = new Set<Waiting>();
  const waitingOf = new Map<string, number>();
  const metrics = gateMetrics(registry, kind, () => ({ running: running.inAll, waiting: waiting.size }));

  function whatIsFull({ repositoryId, user }: Claim): Exclude<Full, "queue"> | undefined {
    if ((running.users.get(user) ?? 0) >= limits.ofUser) return "user";
    if ((running.repositories.get(repositoryId) ?? 0) >= limits.ofRepository) return "repository";
    return running.inAll >= limits.inAll ? "server" : undefined;
  }

  function change({ repositoryId, user }: Claim, by: 1 | -1): void {
    running.inAll += by;
    add(running.repositories, repositoryId, by);
    add(running.users, user, by);
  }

  /** Of those who may, whoever runs the fewest; of these the first. False where nobody may. */
  function letNextIn(): boolean {
    let next: Waiting | undefined;
    let fewest = Infinity;
    for (const each of waiting) {
      const count = running.users.get(each.claim.user) ?? 0;
      if (count >= fewest || whatIsFull(each.claim)) continue;
      next = each;
      fewest = count;
    }
    next?.enter();
    return next !== undefined;
  }

  function place(claim: Claim): () => void {
    change(claim, 1);
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      change(claim, -1);
      // One that ends makes room for its user, in its repository and in all: each may be what another waited for.
      while (letNextIn());
    };
  }

  function refuse(full: Full): AppError {
    metrics.refused.inc({ full });
    return new AppError("unavailable", { message: words[full], retryAfterSeconds });
  }

  /** Undefined while there is room. */
  function whichQueueIsFull({ user, hasBegun }: Claim): Full | undefined {
    if (hasBegun) return undefined;
    const most = limits.inAll * kind.waitingPerPlace;
    if (waiting.size >= most) return "queue";
    return (waitingOf.get(user) ?? 0) >= most / 2 ? "user" : undefined;
  }

  function wait(claim: Claim): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const leaveQueue = () => {
        waiting.delete(entry);
        add(waitingOf, claim.user, -1);
        clearTimeout(timer);
        claim.gone?.removeEventListener("abort", giveUp);
      };
      const giveUp = () => {
        leaveQueue();
        reject(new AppError("unavailable"));
      };
      const timer = setTimeout(() => {
        leaveQueue();
        reject(refuse(whatIsFull(claim) ?? "server"));
      }, limits.waitMs);
      const entry: Waiting = {
        claim,
        enter() {
          leaveQueue();
          resolve(place(claim));
        },
      };
      waiting.add(entry);
      add(waitingOf, claim.user, 1);
      claim.gone?.addEventListener("abort", giveUp);
    });
  }

  return {
    isCrowded: () => waiting.size > 0,
    async enter(claim) {
      if (claim.gone?.aborted) throw new AppError("unavailable");
      if (!whatIsFull(claim)) {
        metrics.waited.observe(0);
        return place(claim);
      }
      const full = whichQueueIsFull(claim);
      if (full) throw refuse(full);
      const stop = metrics.waited.startTimer();
      const leave = await wait(claim);
      stop();
      return leave;
    },
  };
}

const words: Record<Full, string> = {
  server: "As many Git operations are under way as this server can take. Try again in a minute.",
  repository:
    "As many Git operations of this repository are under way as it may have. Try again in a minute.",
  user: "As many Git operations of yours are under way as one user may have. Try again when some have ended.",
  queue: "Too many Git operations wait for this server. Try again in a minute.",
};

function add(counts: Map<string, number>, key: string, by: 1 | -1): void {
  const count = (counts.get(key) ?? 0) + by;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}

function gateMetrics(
  registry: Metrics,
  { names, what }: GateKind,
  counts: () => { running: number; waiting: number },
) {
  new Gauge({
    name: `forgeline_git_${names.many}`,
    help: `${what}: running, and waiting for a place.`,
    labelNames: ["state"],
    registers: [registry],
    collect() {
      for (const [state, count] of Object.entries(counts())) this.set({ state }, count);
    },
  });
  return {
    refused: new Counter({
      name: `forgeline_git_${names.many}_refused_total`,
      help: `${what} that got no place, by what was full: server, repository, user, queue.`,
      labelNames: ["full"],
      registers: [registry],
    }),
    waited: new Histogram({
      name: `forgeline_git_${names.one}_wait_seconds`,
      help: `How long they waited for a place: ${what}.`,
      buckets: [0, 0.1, 0.5, 1, 5, 10, 30, 60],
      registers: [registry],
    }),
  };
}
