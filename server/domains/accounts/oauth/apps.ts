/** Apps that users and organizations register. The secret is shown once, at creation and when it is renewed. */
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import type { OAuthAppCreate, OAuthAppUpdate } from "@forgeline/schemas/oauth/resource.ts";
import type { Database, Transaction } from "../../../platform/db/database.ts";
import { AppError } from "../../../platform/app-error.ts";
import { newId } from "../../../platform/ids.ts";
import { recordAudit } from "../../operation/domain.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import { hashToken, newOAuthSecret } from "../../../platform/credentials/credential.ts";
import * as store from "./app.store.ts";
import type { AppRow } from "./app.store.ts";
import type { GrantService } from "./grants.ts";

export interface RegisteredApp {
  row: AppRow;
  secret: string | null;
}

/** All methods act on the apps of one owner, a user or an organization; permissions are checked before. */
export interface OAuthAppService {
  list(ownerId: string, page: PageQuery): Promise<{ rows: AppRow[]; total: number }>;
  /** Throws `not_found`; so do the following. */
  get(ownerId: string, id: string): Promise<AppRow>;
  create(actor: Actor, ownerId: string, request: OAuthAppCreate): Promise<RegisteredApp>;
  /** Fields that `request` omits stay as they are; nothing is recorded if nothing changes. */
  update(actor: Actor, app: { ownerId: string; id: string }, request: OAuthAppUpdate): Promise<AppRow>;
  /** The old secret is refused from now on. Throws `conflict` for an app that keeps none. */
  rotateSecret(actor: Actor, ownerId: string, id: string): Promise<RegisteredApp>;
  /** Ends all its tokens at once. */
  remove(actor: Actor, ownerId: string, id: string): Promise<void>;
}

export function createOAuthAppService(deps: { db: Database; grants: GrantService }): OAuthAppService {
  const { db } = deps;

  async function get(ownerId: string, id: string): Promise<AppRow> {
    const row = await store.findApp(db, ownerId, id);
    if (!row) throw new AppError("not_found");
    return row;
  }

  return {
    list: (ownerId, page) => store.listApps(db, ownerId, page),
    get,
    async create(actor, ownerId, request) {
      const secret = request.confidential ? newOAuthSecret("client") : null;
      return db.transaction(async (tx) => {
        const row = await store.insertApp(tx, {
          id: newId("app"),
          ownerId,
          name: request.name,
          redirectUris: [...new Set(request.redirect_uris)],
          homepageUrl: request.homepage_url,
          scopes: [...new Set(request.scopes)],
          secretHash: secret === null ? null : hashToken(secret),
        });
        await recordAudit(tx, actor, {
          action: "oauth.app_create",
          target: { type: "oauth_app", id: row.id, name: row.name },
          details: { owner: row.owner, redirect_uris: row.redirect_uris, scopes: row.scopes },
        });
        return { row, secret };
      });
    },
    update: (actor, { ownerId, id }, request) =>
      db.transaction((tx) => update(tx, actor, { ownerId, id, request })),
    async rotateSecret(actor, ownerId, id) {
      await get(ownerId, id);
      const secret = newOAuthSecret("client");
      return db.transaction(async (tx) => {
        const row = await store.replaceSecret(tx, { ownerId, id, hash: hashToken(secret) });
        if (!row) throw new AppError("conflict", { message: "This app has no secret." });
        await recordAudit(tx, actor, {
          action: "oauth.app_secret_rotate",
          target: { type: "oauth_app", id, name: row.name },
        });
        return { row, secret };
      });
    },
    async remove(actor, ownerId, id) {
      const row = await get(ownerId, id);
      await db.transaction(async (tx) => {
        await deps.grants.endAll(tx, "app", id);
        await store.deleteApp(tx, id);
        await recordAudit(tx, actor, {
          action: "oauth.app_delete",
          target: { type: "oauth_app", id, name: row.name },
          details: { owner: row.owner },
        });
      });
    },
  };
}

async function update(
  tx: Transaction,
  actor: Actor,
  { ownerId, id, request }: { ownerId: string; id: string; request: OAuthAppUpdate },
): Promise<AppRow> {
  const before = await store.lockApp(tx, ownerId, id);
  if (!before) throw new AppError("not_found");
  const wanted = {
    name: request.name ?? before.name,
    redirect_uris: request.redirect_uris ? [...new Set(request.redirect_uris)] : before.redirect_uris,
    homepage_url: request.homepage_url === undefined ? before.homepage_url : request.homepage_url,
  };
  const changed = (["name", "redirect_uris", "homepage_url"] as const).filter(
    (field) => JSON.stringify(wanted[field]) !== JSON.stringify(before[field]),
  );
  if (changed.length === 0) return before;
  const row = await store.updateApp(tx, id, wanted);
  await recordAudit(tx, actor, {
    action: "oauth.app_update",
    target: { type: "oauth_app", id, name: row.name },
    details: Object.fromEntries(changed.map((field) => [field, { from: before[field], to: row[field] }])),
  });
  return row;
}
