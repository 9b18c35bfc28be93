/** Personal access tokens: create (value shown once), list, revoke (effective at once on every server). */
import { scopeCovers, type Scope } from "@forgeline/schemas/core/scopes.ts";
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import type { Database } from "../../db/database.ts";
import { AppError } from "../../platform/app-error.ts";
import { newId } from "../../platform/ids.ts";
import { recordAudit } from "../audit/record.ts";
import { systemActor, userIdOf, type Actor } from "../identity/actor.ts";
import { hashToken, newAccessToken } from "../identity/credential.ts";
import { insertToken, listTokens, markRevoked, type AccessTokenRow } from "./store.ts";

export interface TokenRequest {
  name: string;
  scopes: readonly Scope[];
  expiresInDays: number | null;
}

export interface TokenService {
  /** Throws `insufficient_scope` when the caller's own token does not cover every scope asked for. */
  create(actor: Actor, request: TokenRequest): Promise<{ row: AccessTokenRow; token: string }>;
  /** For the command line on the server itself, on behalf of a user; no subset rule. */
  createFor(
    user: { id: string; username: string },
    request: TokenRequest,
  ): Promise<{ row: AccessTokenRow; token: string }>;
  list(actor: Actor, page: PageQuery): Promise<{ rows: AccessTokenRow[]; total: number }>;
  /** Throws `not_found`. */
  revoke(actor: Actor, id: string): Promise<void>;
}

export function createTokenService(deps: { db: Database }): TokenService {
  const { db } = deps;

  async function insert(actor: Actor, userId: string, request: TokenRequest) {
    const token = newAccessToken("pat");
    const id = newId("tok");
    const row = await db.transaction(async (tx) => {
      const scopes = [...new Set(request.scopes)];
      const inserted = await insertToken(tx, {
        id,
        userId,
        name: request.name,
        hash: hashToken(token),
        scopes,
        expiresInDays: request.expiresInDays,
      });
      await recordAudit(tx, actor, {
        action: "auth.token_create",
        target: { type: "access_token", id, name: request.name },
        details: { scopes, expires_at: inserted.expires_at?.toISOString() ?? null },
      });
      return inserted;
    });
    return { row, token };
  }

  return {
    async create(actor, request) {
      const missing = request.scopes.filter((scope) => !scopeCovers(actor.scopes, scope));
      if (missing.length > 0)
        throw new AppError("insufficient_scope", {
          message: "A token can create only tokens that are subsets of itself.",
          extra: { required_scopes: missing },
        });
      return insert(actor, userIdOf(actor), request);
    },
    createFor(user, request) {
      const actor: Actor = { ...systemActor, userId: user.id, username: user.username };
      return insert(actor, user.id, request);
    },
    list: (actor, page) => listTokens(db, userIdOf(actor), page),
    async revoke(actor, id) {
      await db.transaction(async (tx) => {
        const row = await markRevoked(tx, userIdOf(actor), id);
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
