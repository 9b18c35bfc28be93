/**
 * Slows guessing without locking anybody out. An attempt is counted before the password is looked at, so attempts at the
 * same time count too; a success takes its count back. What counts is the account from this block of addresses, the
 * block, and the account as a whole, the latter only from where its owner never signed in, and not for a signed-in user:
 * strangers cannot keep the owner out. The account also has the limit of `auth`, whatever waits there are.
 */
import { createHash } from "node:crypto";
import type { Database, Queryable } from "../../../platform/db/database.ts";
import { addressBlock } from "../../../platform/network/address-block.ts";
import { retryLater, type AppError } from "../../../platform/app-error.ts";
import { rateLimitExceeded, type RateLimits } from "../../operation/domain.ts";
import { accountSubject } from "../../../platform/access/subject.ts";
import {
  countWhereDue,
  forget,
  isKnown,
  rememberAddress,
  secondsToWait,
  takeBack,
} from "./attempts.store.ts";

export interface Attempt {
  /** Takes the count back, and remembers that the owner was here. To be called in the transaction of what succeeded. */
  succeeded(db: Queryable): Promise<void>;
  /** Neither failed nor succeeded: does not count, but earlier ones still do. */
  undone(): Promise<void>;
}

export interface AttemptedAccount {
  /** The user's id, or what was typed where there is no such user. */
  account: string;
  ipAddress: string;
  /** The client is already signed in as this user. */
  signedIn: boolean;
}

export interface Attempts {
  /** Counts one. Throws `rate_limit_exceeded` while an earlier one has to be waited for. */
  begin(tried: AttemptedAccount): Promise<Attempt>;
}

export function createAttempts({ db, rateLimits }: { db: Database; rateLimits: RateLimits }): Attempts {
  return {
    async begin({ account, ipAddress, signedIn }) {
      const block = addressBlock(ipAddress);
      const known = signedIn || (await isKnown(db, account, block));
      const keys = new Map([
        ["address", keyOf(block)],
        ["pair", keyOf(`${account}\0${block}`)],
      ]);
      if (!known) keys.set("account", keyOf(account));
      await count(db, keys);
      // Last, so that attempts which have to wait do not use up the shared limit.
      const taken = known ? undefined : await rateLimits.take("auth", accountSubject(account));
      if (taken && !taken.allowed) {
        await takeBack(db, keys);
        throw rateLimitExceeded(taken.status);
      }
      return {
        undone: async () => {
          taken?.refund();
          await takeBack(db, keys);
        },
        succeeded: async (tx) => {
          taken?.refund();
          await takeBack(tx, keys);
          await forget(tx, "pair", keys.get("pair"));
          await rememberAddress(tx, account, block);
        },
      };
    },
  };
}

/** Counts at every scope or at none: an attempt that has to wait at one does not count at the others. */
async function count(db: Database, keys: ReadonlyMap<string, Buffer>): Promise<void> {
  try {
    await db.transaction(async (tx) => {
      if ((await countWhereDue(tx, keys)) < keys.size) throw tooEarly;
    });
  } catch (error) {
    throw error === tooEarly ? await refusal(db, keys) : error;
  }
}

/** Undoes what was counted. */
const tooEarly = new Error("an earlier attempt is still in its waiting period");

async function refusal(db: Queryable, keys: ReadonlyMap<string, Buffer>): Promise<AppError> {
  const seconds = await secondsToWait(db, keys);
  const retryAfterSeconds = Math.max(1, Math.ceil(seconds));
  return retryLater("Too many failed attempts; wait before the next one.", retryAfterSeconds);
}

function keyOf(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
