/**
 * Argon2id, computed on other threads, a few at a time: each takes 19 MiB and some fifty milliseconds of a core, and
 * strangers can request it.
 */
import { hash, parseOptions, verify } from "@node-rs/argon2";
import { AppError } from "../../../platform/app-error.ts";

export interface Passwords {
  /** Throws `unavailable` when too many wait already; so does `matches`. */
  hash(password: string): Promise<string>;
  /** Takes as long without a hash, and then never matches. */
  matches(hash: string | null, password: string): Promise<boolean>;
  /** Whether the hash was made with a weaker setting than today's. */
  isOutdated(hash: string): boolean;
}

export interface PasswordCost {
  /** In KiB. */
  memoryCost: number;
  timeCost: number;
  parallelism: number;
}

/** From OWASP's Password Storage Cheat Sheet. */
const usualCost: PasswordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const atATime = 2;
const maxWaiting = 100;

export function createPasswords(cost = usualCost): Passwords {
  const inTurn = createTurns();
  // The hash of a password that nobody has; made once, in the background, so that the first unknown name does not take longer.
  const nobody = hash(crypto.randomUUID(), cost);
  nobody.catch(() => undefined);
  return {
    hash: (password) => inTurn(() => hash(normal(password), cost)),
    async matches(stored, password) {
      const against = stored ?? (await nobody);
      const same = await inTurn(() => verify(against, normal(password)));
      return same && stored !== null;
    },
    isOutdated(stored) {
      const used = parseOptions(stored);
      return used.memoryCost < cost.memoryCost || used.timeCost < cost.timeCost;
    },
  };
}

/** The same text typed on another keyboard or system is the same password. */
function normal(password: string): string {
  return password.normalize("NFKC");
}

function createTurns() {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= atATime) {
      if (waiting.length >= maxWaiting) throw new AppError("unavailable", { retryAfterSeconds: 2 });
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else running += 1;
    try {
      return await work();
    } finally {
      // The turn goes straight to the next in line, so that no newcomer gets in between.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
