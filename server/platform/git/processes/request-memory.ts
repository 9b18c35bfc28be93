/**
 * Memory for requests of fetches, until they are answered. Reserved as a request grows, because its size is not known before:
 * over HTTPS it may be compressed. Separate from the memory for other bodies, and separate for anonymous clients, so that they
 * do not block each other.
 */
import { createBodyMemory, type BodyMemory } from "../../http/body-memory.ts";
import { AppError } from "../../app-error.ts";
import type { Metrics } from "../../metrics.ts";
import type { Claimant } from "./exchange-claim.ts";

export interface RequestMemory {
  /** Throws `payload_too_large`, and what `BodyRoom.reserve` throws. */
  grow(toBytes: number): void;
  /** To be called when the request is no longer in memory; the next one may grow again. */
  free(): void;
  /** Like `free`, for good: later data gets no memory. */
  close(): void;
}

/** Room for one request at a time, of at most so many bytes. */
export type MakeRequestMemory = (claimant: Claimant, maxBytes?: number) => RequestMemory;

const mib = 1024 * 1024;
/** A want or have is 50 bytes, and a large partial clone wants a hundred thousand files. */
export const maxRequestBytes = 16 * mib;
/** Most requests are smaller. */
const firstBytes = 16 * 1024;

export function createRequestMemory(registry: Metrics): MakeRequestMemory {
  const of = (whom: "accounts" | "strangers", limits: { ofOne: number; inAll: number }) =>
    createBodyMemory(limits, registry, `forgeline_git_request_bytes_of_${whom}`);
  const accounts = of("accounts", { ofOne: 64 * mib, inAll: 256 * mib });
  const strangers = of("strangers", { ofOne: 32 * mib, inAll: 64 * mib });
  return ({ user, account, isAnonymous }, maxBytes = maxRequestBytes) =>
    // Of an account as a whole: it can have any number of deploy keys.
    createRequestRoom(isAnonymous ? strangers : accounts, account ?? user, maxBytes);
}

function createRequestRoom(rooms: BodyMemory, key: string, maxBytes: number): RequestMemory {
  let reserved = 0;
  let held: (() => void)[] = [];
  let isClosed = false;
  const free = () => {
    for (const each of held) each();
    held = [];
    reserved = 0;
  };
  return {
    grow(toBytes) {
      if (isClosed) throw new AppError("bad_request", { message: "This request has ended." });
      if (toBytes > maxBytes)
        throw new AppError("payload_too_large", { message: "The request is too large." });
      while (reserved < toBytes) {
        const step = Math.max(firstBytes, reserved);
        held.push(rooms.reserve(key, step));
        reserved += step;
      }
    },
    free,
    close() {
      free();
      isClosed = true;
    },
  };
}
