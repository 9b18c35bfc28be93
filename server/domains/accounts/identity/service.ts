/**
 * Turns a credential into an actor, the same for every entry point. Tokens of people and bots are cached for a few seconds
 * and dropped the moment a revocation is announced; sessions and job tokens are looked up at each use.
 */
import type { Database } from "../../../platform/db/database.ts";
import { parseAddressRanges, type AddressRanges } from "../../../platform/network/address-ranges.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { Logger } from "../../../platform/logger.ts";
import { defaultPeriods, type Periods } from "../../../config/periods.ts";
import { anonymousActor, type Actor } from "../../../platform/access/actor.ts";
import { actorOfJob, actorOfSession, actorOfToken } from "./actors.ts";
import { hashToken, isSessionToken, parseCredential } from "../../../platform/credentials/credential.ts";
import { requireOwnPage, type CookieSender } from "../../../platform/credentials/session-cookie.ts";
import type { SessionService } from "../sessions/service.ts";
import type { TokenService } from "../tokens/service.ts";
import { findAccessToken, findJobToken, findSessionHolder } from "./identity.store.ts";

export interface IdentityService {
  /**
   * The actor of a request; anonymous without a credential, or with a session cookie that is none (any more). Throws
   * `unauthorized` for a credential that is malformed, unknown, expired, revoked or of a suspended user, and `forbidden`
   * for a token outside the addresses that it is limited to, and for a cookie on a request that changes something and
   * was not sent by a page of ours.
   */
  authenticate(sender: CookieSender, request: NonNullable<Actor["request"]>): Promise<Actor>;
  close(): void;
}

interface Cached {
  actor: Actor;
  /** Where the token may be used from; null: everywhere. */
  addresses: AddressRanges | null;
  until: number;
}

function usedFrom({ actor, addresses }: Cached, ipAddress: string): Actor {
  if (addresses !== null && !addresses.contains(ipAddress))
    throw new AppError("forbidden", { message: "The token may not be used from this address." });
  return actor;
}

const cacheSize = 10_000;
const touchEveryMs = 60_000;

export function createIdentityService(deps: {
  db: Database;
  sessions: Pick<SessionService, "touch">;
  tokens: Pick<TokenService, "touch">;
  logger: Logger;
  /** `https://HOST`: the origin of our own pages. */
  webUrl: string;
  periods?: Pick<Periods, "tokenCacheMs">;
}): IdentityService {
  const { db } = deps;
  const { tokenCacheMs } = deps.periods ?? defaultPeriods;
  const cache = new Map<string, Cached>();
  const touched = new Map<string, number>();
  // An empty payload means that notifications may have been missed. A lookup that began before the news must not be
  // cached after it, hence the generation.
  let generation = 0;
  const stop = db.listen("token", (tokenId) => {
    generation += 1;
    for (const [key, entry] of cache)
      if (tokenId === "" || entry.actor.tokenId === tokenId) cache.delete(key);
  });

  function touch(tokenId: string): void {
    const now = performance.now();
    if (now - (touched.get(tokenId) ?? -touchEveryMs) < touchEveryMs) return;
    if (touched.size > cacheSize) touched.clear();
    touched.set(tokenId, now);
    // Not awaited: the request does not wait for it, and a lost mark does no harm.
    inBackground(deps.tokens.touch(tokenId));
  }

  function inBackground(noted: Promise<void>): void {
    noted.catch((error: Error) =>
      deps.logger.debug({ error: error.message }, "could not record the use of a credential"),
    );
  }

  async function holder(hash: Buffer, ipAddress: string): Promise<Actor | undefined> {
    const key = hash.toString("base64");
    // Not the wall clock, which may jump.
    const now = performance.now();
    const cached = cache.get(key);
    if (cached && cached.until > now) return usedFrom(cached, ipAddress);
    cache.delete(key);
    const before = generation;
    const row = await findAccessToken(db, hash);
    if (!row) return undefined;
    const actor = actorOfToken(row);
    if (cache.size >= cacheSize) cache.clear();
    const until = now + Math.min(tokenCacheMs, row.ms_left ?? Number.POSITIVE_INFINITY);
    const ranges = row.address_ranges;
    const entry = { actor, until, addresses: ranges && parseAddressRanges(ranges.join(",")).ranges };
    if (before === generation) cache.set(key, entry);
    return usedFrom(entry, ipAddress);
  }

  async function job(hash: Buffer): Promise<Actor | undefined> {
    const row = await findJobToken(db, hash);
    return row && actorOfJob(row);
  }

  async function session(hash: Buffer): Promise<Actor | undefined> {
    const row = await findSessionHolder(db, hash);
    if (!row) return undefined;
    if (row.stale) inBackground(deps.sessions.touch(row.session_id));
    return actorOfSession(row);
  }

  return {
    async authenticate(sender, request) {
      const credential = parseCredential(sender.headers);
      if (credential.kind === "none") return { ...anonymousActor, request };
      const byCookie = credential.kind === "token" && credential.from === "cookie";
      if (byCookie) requireOwnPage(sender, credential.token, deps.webUrl);
      const actor = credential.kind === "token" ? await lookUp(credential.token, request) : undefined;
      // A browser cannot drop this cookie by itself, and the way to sign in must stay open.
      if (!actor && byCookie && isSessionToken(credential.token)) return { ...anonymousActor, request };
      if (!actor) throw new AppError("unauthorized", { message: "The token is not valid." });
      if (actor.tokenId) touch(actor.tokenId);
      return { ...actor, request };
    },
    close: stop,
  };

  function lookUp(token: string, from: { ipAddress: string }): Promise<Actor | undefined> {
    if (/^svc_(pat|bot|oauth)_/.test(token)) return holder(hashToken(token), from.ipAddress);
    if (isSessionToken(token)) return session(hashToken(token));
    if (token.startsWith("svc_job_")) return job(hashToken(token));
    return Promise.resolve(undefined);
  }
}
