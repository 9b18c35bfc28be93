/**
 * How many Git exchanges may be under way in this process, over whatever door: each is a process or two, and memory. Who finds
 * no place waits for one, and is told so when the wait is over. Places go to whoever has the fewest, so that one who
 * asks for many keeps nobody else waiting.
 */
import { AppError } from "../platform/app-error.ts";
import { Counter, Gauge, Histogram, type Metrics } from "../platform/metrics.ts";

export interface GateLimits {
  /** Exchanges at a time of this process, of one repository, and of one user or address. */
  inAll: number;
  ofRepository: number;
  ofUser: number;
  /** How long an exchange waits for a place. */
  waitMs: number;
}

export interface Claim {
  repositoryId: string;
  /** Key of the user, or of the address of who is none. */
  user: string;
  /** Aborted when nobody waits any more. */
  gone?: AbortSignal;
}

export interface ExchangeGate {
  /**
   * Resolves with what gives the place back. Throws `unavailable`, with what there is too much of, after the time to wait, or at
   * once where too many wait already.
   */
  enter(claim: Claim): Promise<() => void>;
}

type Full = "server" | "repository" | "user" | "queue";

interface Waiting {
  claim: Claim;
  enter(): void;
}

/** A connection that waits costs little; memory for them still has an end. */
const mostWaitingPerPlace = 16;
const retryAfterSeconds = 10;

export function createExchangeGate(limits: GateLimits, registry: Metrics): ExchangeGate {
  const running = { inAll: 0, repositories: new Map<string, number>(), users: new Map<string, number>() };
  const waiting = new Set<Waiting>();
  const metrics = gateMetrics(registry, () => ({ running: running.inAll, waiting: waiting.size }));

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

  /** Of those who may, whoever runs the fewest; of these the first. */
  function letNextIn(): void {
    let next: Waiting | undefined;
    let fewest = Infinity;
    for (const each of waiting) {
      const count = running.users.get(each.claim.user) ?? 0;
      if (count >= fewest || whatIsFull(each.claim)) continue;
      next = each;
      fewest = count;
    }
    next?.enter();
  }

  function place(claim: Claim): () => void {
    change(claim, 1);
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      change(claim, -1);
      letNextIn();
    };
  }

  function refuse(full: Full): AppError {
    metrics.refused.inc({ full });
    return new AppError("unavailable", { message: words[full], retryAfterSeconds });
  }

  function wait(claim: Claim): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const leaveQueue = () => {
        waiting.delete(entry);
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
      claim.gone?.addEventListener("abort", giveUp);
    });
  }

  return {
    async enter(claim) {
      if (!whatIsFull(claim)) {
        metrics.waited.observe(0);
        return place(claim);
      }
      if (waiting.size >= limits.inAll * mostWaitingPerPlace) throw refuse("queue");
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

function gateMetrics(registry: Metrics, counts: () => { running: number; waiting: number }) {
  new Gauge({
    name: "forgeline_git_exchanges",
    help: "Git exchanges of this process, over HTTPS and SSH: running, and waiting for a place.",
    labelNames: ["state"],
    registers: [registry],
    collect() {
      for (const [state, count] of Object.entries(counts())) this.set({ state }, count);
    },
  });
  return {
    refused: new Counter({
      name: "forgeline_git_exchanges_refused_total",
      help: "Git exchanges that got no place, by what was full: server, repository, user, queue.",
      labelNames: ["full"],
      registers: [registry],
    }),
    waited: new Histogram({
      name: "forgeline_git_exchange_wait_seconds",
      help: "How long Git exchanges waited for a place.",
      buckets: [0, 0.1, 0.5, 1, 5, 10, 30, 60],
      registers: [registry],
    }),
  };
}
