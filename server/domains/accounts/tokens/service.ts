/** Personal access tokens: create (value shown once), list, revoke (effective at once on every server). */
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import type { Database, Transaction } from "../../../platform/db/database.ts";
import { AppError } from "../../../platform/app-error.ts";
import { recordAudit } from "../../operation/domain.ts";
import { systemActor, userIdOf, type Actor } from "../../../platform/access/actor.ts";
import type { Authorizer } from "../../policy/domain.ts";
import { insertNewToken, lockWithin, resolveWanted, type CreatedToken, type TokenRequest } from "./create.ts";
import {
  nameRepositories,
  nameRepositoriesOf,
  type NamedToken,
  type NewToken,
  type VisibleNames,
} from "./named-token.ts";
import * as store from "./tokens.store.ts";
import type { WantedLimits } from "./subset.ts";

export interface TokenService {
  /**
   * Throws `insufficient_scope` when the caller's own token does not cover every requested scope, and
   * `validation_failed` when the new one would go beyond it otherwise, or names what the caller does not see.
   */
  create(actor: Actor, request: TokenRequest): Promise<NewToken>;
  /** For the command line on the server itself, on behalf of a user; no subset rule, and no limits. */
  createFor(user: { id: string; username: string }, request: TokenRequest): Promise<CreatedToken>;
  list(actor: Actor, page: PageQuery): Promise<{ tokens: NamedToken[]; total: number }>;
  /** Throws `not_found`. */
  get(actor: Actor, id: string): Promise<NamedToken>;
  /** Throws `not_found`. */
  revoke(actor: Actor, id: string): Promise<void>;
  /** Revokes every token of these users. The caller announces it. */
  revokeAll(tx: Transaction, userIds: readonly string[]): Promise<void>;
  /** Records that it was used, at most once a minute. */
  touch(id: string): Promise<void>;
}

export interface TokenServiceDeps {
  db: Database;
  authorizer: Authorizer;
  visibleNames: VisibleNames;
}

export function createTokenService(deps: TokenServiceDeps): TokenService {
  const { db, visibleNames } = deps;
  return {
    async create(actor, request) {
      const wanted = await resolveWanted(deps.authorizer, actor, request);
      const { row, token } = await db.transaction(async (tx) => {
        await lockWithin(tx, actor, { request, wanted });
        return insert(tx, actor, { request, wanted });
      });
      return { ...(await nameRepositoriesOf(visibleNames, actor, row)), token };
    },
    createFor(user, request) {
      const actor: Actor = { ...systemActor, userId: user.id, username: user.username };
      const wanted = { scopes: [...new Set(request.scopes)], repositoryIds: null, addressRanges: null };
      return db.transaction((tx) => insert(tx, actor, { request, wanted }));
    },
    async list(actor, page) {
      const { rows, total } = await store.listTokens(db, userIdOf(actor), page);
      return { tokens: await nameRepositories(visibleNames, actor, rows), total };
    },
    async get(actor, id) {
      const row = await store.findToken(db, userIdOf(actor), id);
      if (!row) throw new AppError("not_found");
      return nameRepositoriesOf(visibleNames, actor, row);
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
    revokeAll: store.revokeTokensOf,
    touch: (id) => store.touchToken(db, id),
  };
}

async function insert(
  tx: Transaction,
  actor: Actor,
  { request, wanted }: { request: TokenRequest; wanted: WantedLimits },
): Promise<CreatedToken> {
  const created = await insertNewToken(tx, { kind: "pat", userId: userIdOf(actor) }, { request, wanted });
  const { row } = created;
  await recordAudit(tx, actor, {
    action: "auth.token_create",
    target: { type: "access_token", id: row.id, name: row.name },
    details: {
      scopes: wanted.scopes,
      expires_at: row.expires_at?.toISOString() ?? null,
      repository_ids: wanted.repositoryIds,
      address_ranges: wanted.addressRanges,
    },
  });
  return created;
}
