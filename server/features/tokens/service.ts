/** Personal access tokens: create (value shown once), list, revoke (effective at once on every server). */
import type { Scope } from "@forgeline/schemas/core/scopes.ts";
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import type { Database, Transaction } from "../../db/database.ts";
import { AppError } from "../../platform/app-error.ts";
import { newId } from "../../platform/ids.ts";
import { recordAudit } from "../audit/record.ts";
import { systemActor, userIdOf, type Actor } from "../identity/actor.ts";
import { hashToken, newAccessToken } from "../identity/credential.ts";
import type { Authorizer } from "../policy/authorize.ts";
import * as store from "./store.ts";
import type { AccessTokenRow } from "./store.ts";
import { requireScopesOf, requireSubset, type WantedLimits } from "./subset.ts";
import { checkAddressRanges, resolveRepositories } from "./wanted-limits.ts";

export interface TokenRequest {
  name: string;
  scopes: readonly Scope[];
  expiresInDays: number | null;
  /** Full names; null or absent: no limit. */
  repositories?: readonly string[] | null | undefined;
  /** Addresses and CIDR ranges; null or absent: no limit. */
  addressRanges?: readonly string[] | null | undefined;
}

export interface CreatedToken {
  row: AccessTokenRow;
  /** The value, which is nowhere else. */
  token: string;
}

export interface TokenService {
  /**
   * Throws `insufficient_scope` when the caller's own token does not cover every scope asked for, and
   * `validation_failed` when the new one would go beyond it otherwise, or names what the caller does not see.
   */
  create(actor: Actor, request: TokenRequest): Promise<CreatedToken>;
  /** For the command line on the server itself, on behalf of a user; no subset rule, and no limits. */
  createFor(user: { id: string; username: string }, request: TokenRequest): Promise<CreatedToken>;
  list(actor: Actor, page: PageQuery): Promise<{ rows: AccessTokenRow[]; total: number }>;
  /** Throws `not_found`. */
  get(actor: Actor, id: string): Promise<AccessTokenRow>;
  /** Throws `not_found`. */
  revoke(actor: Actor, id: string): Promise<void>;
}

export function createTokenService(deps: { db: Database; authorizer: Authorizer }): TokenService {
  const { db } = deps;
  return {
    async create(actor, request) {
      requireScopesOf(actor.scopes, request.scopes);
      const { repositories, addressRanges } = request;
      const wanted = {
        scopes: [...new Set(request.scopes)],
        repositoryIds: repositories ? await resolveRepositories(deps.authorizer, actor, repositories) : null,
        addressRanges: addressRanges ? checkAddressRanges(addressRanges) : null,
      };
      return db.transaction(async (tx) => {
        if (actor.tokenId !== null) {
          const creator = await store.lockCreator(tx, actor.tokenId, request.expiresInDays);
          if (!creator) throw new AppError("unauthorized", { message: "The token is not valid." });
          requireSubset(creator, wanted);
        }
        return insert(tx, actor, request, wanted);
      });
    },
    createFor(user, request) {
      const actor: Actor = { ...systemActor, userId: user.id, username: user.username };
      const wanted = { scopes: [...new Set(request.scopes)], repositoryIds: null, addressRanges: null };
      return db.transaction((tx) => insert(tx, actor, request, wanted));
    },
    list: (actor, page) => store.listTokens(db, userIdOf(actor), page),
    async get(actor, id) {
      const row = await store.findToken(db, userIdOf(actor), id);
      if (!row) throw new AppError("not_found");
      return row;
    },
    async revoke(actor, id) {
      await db.transaction(async (tx) => {
        const row = await store.markRevoked(tx, userIdOf(actor), id);
        if (!row) throw new AppError("not_found");
        await recordAudit(tx, actor, {
          action: "auth.token_revoke",
          target: { type: "access_token", id, name: row.name },
        });
        await tx.notify("token", id);
      });
    },
  };
}

async function insert(
  tx: Transaction,
  actor: Actor,
  request: TokenRequest,
  wanted: WantedLimits,
): Promise<CreatedToken> {
  const token = newAccessToken("pat");
  const id = newId("tok");
  const row = await store.insertToken(tx, {
    ...wanted,
    id,
    userId: userIdOf(actor),
    name: request.name,
    hash: hashToken(token),
    expiresInDays: request.expiresInDays,
  });
  await recordAudit(tx, actor, {
    action: "auth.token_create",
    target: { type: "access_token", id, name: request.name },
    details: {
      scopes: wanted.scopes,
      expires_at: row.expires_at?.toISOString() ?? null,
      repository_ids: wanted.repositoryIds,
      address_ranges: wanted.addressRanges,
    },
  });
  return { row, token };
}
