/**
 * Turns a credential into an actor, the same for every door. Personal tokens are cached for a few seconds and dropped
 * the moment a revocation is announced; job tokens are looked up at each use.
 */
import type { Database } from "../../db/database.ts";
import { AppError } from "../../platform/app-error.ts";
import type { Logger } from "../../platform/logger.ts";
import { anonymousActor, type Actor } from "./actor.ts";
import { hashToken, parseCredential } from "./credential.ts";
import { findJobToken, findPersonalToken, touchToken } from "./store.ts";

export interface IdentityService {
  /**
   * The actor of a request; anonymous without the header. Throws `unauthorized` for a credential that is malformed,
   * unknown, expired, revoked or of a suspended user.
   */
  authenticate(authorization: string | undefined, request: NonNullable<Actor["request"]>): Promise<Actor>;
  close(): void;
}

interface Cached {
  actor: Actor;
  until: number;
}

const cacheMs = 3_000;
const cacheSize = 10_000;
const touchEveryMs = 60_000;

export function createIdentityService(deps: { db: Database; logger: Logger }): IdentityService {
  const { db } = deps;
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
    touchToken(db, tokenId).catch((error: Error) =>
      deps.logger.debug({ error: error.message }, "could not note the use of a token"),
    );
  }

  async function personal(hash: Buffer): Promise<Actor | undefined> {
    const key = hash.toString("base64");
    // Not the wall clock, which may jump.
    const now = performance.now();
    const cached = cache.get(key);
    if (cached && cached.until > now) return cached.actor;
    cache.delete(key);
    const before = generation;
    const row = await findPersonalToken(db, hash);
    if (!row) return undefined;
    const actor: Actor = {
      kind: "user",
      userId: row.user_id,
      username: row.username,
      isAdmin: row.is_admin,
      scopes: row.scopes,
      tokenId: row.token_id,
      job: null,
      request: null,
    };
    if (cache.size >= cacheSize) cache.clear();
    const until = now + Math.min(cacheMs, row.ms_left ?? Number.POSITIVE_INFINITY);
    if (before === generation) cache.set(key, { actor, until });
    return actor;
  }

  async function job(hash: Buffer): Promise<Actor | undefined> {
    const row = await findJobToken(db, hash);
    if (!row) return undefined;
    return {
      kind: "job",
      userId: row.user_id,
      username: row.username,
      isAdmin: false,
      scopes: ["repo:read"],
      tokenId: null,
      job: { attemptId: row.attempt_id, repositoryId: row.repository_id },
      request: null,
    };
  }

  return {
    async authenticate(authorization, request) {
      const credential = parseCredential(authorization);
      if (credential.kind === "none") return { ...anonymousActor, request };
      const actor = credential.kind === "token" ? await lookUp(credential.token) : undefined;
      if (!actor) throw new AppError("unauthorized", { message: "The token is not valid." });
      if (actor.tokenId) touch(actor.tokenId);
      return { ...actor, request };
    },
    close: stop,
  };

  function lookUp(token: string): Promise<Actor | undefined> {
    if (token.startsWith("svc_pat_")) return personal(hashToken(token));
    if (token.startsWith("svc_job_")) return job(hashToken(token));
    return Promise.resolve(undefined);
  }
}
