/** Caches for people: lists, who uses what, and removal before their time. */
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import type { z } from "zod";
import type { Actor } from "../../../platform/access/actor.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { Database } from "../../../platform/db/database.ts";
import { recordAudit } from "../../operation/domain.ts";
import type { RepositoryRef } from "../../policy/domain.ts";
import * as store from "./listed-cache.store.ts";
import type { CacheMetrics } from "./metrics.ts";
import { presentCache, presentCacheUse, type CacheAddresses } from "./present.ts";

type Page = z.infer<typeof PageQuery>;

export type CacheService = ReturnType<typeof createCacheService>;

export function createCacheService(deps: { db: Database; addresses: CacheAddresses; metrics: CacheMetrics }) {
  const { db, addresses, metrics } = deps;
  const nameOf = ({ owner, name }: RepositoryRef) => `${owner}/${name}`;
  return {
    async list(
      repository: RepositoryRef,
      { key_prefix: prefix = "", ...page }: Page & { key_prefix?: string | undefined },
    ) {
      const { rows, total } = await store.list(db, { repositoryId: repository.id, prefix }, page);
      const ids = rows.map(({ id }) => id);
      const users = await store.listUsers(db, ids);
      return { items: rows.map((row) => presentCache(row, users, addresses)), total };
    },
    /** `pipeline` is an id or a number. Throws `not_found`. */
    async ofRun(repository: RepositoryRef, pipeline: string, page: Page) {
      const id = await store.findRun(db, repository.id, pipeline);
      if (id === undefined) throw new AppError("not_found");
      const { rows, total } = await store.listOfRun(db, id, page);
      return { items: rows.map(presentCacheUse), total };
    },
    /** Throws `not_found`. */
    async remove(actor: Actor, repository: RepositoryRef, id: string): Promise<void> {
      await db.transaction(async (tx) => {
        const gone = await store.remove(tx, repository.id, id);
        if (!gone) throw new AppError("not_found");
        await recordAudit(tx, actor, {
          action: "cache.delete",
          target: { type: "cache", id, name: `${nameOf(repository)} ${gone.key}` },
          details: { scope: gone.scope, size: gone.size_bytes },
        });
      });
      metrics.removed.inc({ why: "request" });
    },
    /** Those whose key begins so; may be none. */
    async removeAll(actor: Actor, repository: RepositoryRef, prefix: string): Promise<void> {
      const entries = await db.transaction(async (tx) => {
        const gone = await store.removeByPrefix(tx, repository.id, prefix);
        await recordAudit(tx, actor, {
          action: "cache.clear",
          target: { type: "repository", id: repository.id, name: nameOf(repository) },
          details: { key_prefix: prefix, caches: gone.entries, size: gone.bytes },
        });
        return gone.entries;
      });
      metrics.removed.inc({ why: "request" }, entries);
    },
  };
}
