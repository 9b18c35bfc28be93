/** People whose merge requests from forks run without being asked about. Who is added is said where a run is approved (`trust.ts`). */
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import type { TrustedAuthor } from "@forgeline/schemas/trusted-authors/resource.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { Database } from "../../../platform/db/database.ts";
import { recordAudit } from "../../operation/domain.ts";
import type { RepositoryRef } from "../../policy/domain.ts";
import { presentTrusted } from "./present.ts";
import * as store from "./trusted-authors.store.ts";

export interface TrustedAuthorService {
  /** By name. */
  list(repository: RepositoryRef, page: PageQuery): Promise<{ items: TrustedAuthor[]; total: number }>;
  /** Throws `not_found` where nobody of this name is trusted. */
  remove(actor: Actor, repository: RepositoryRef, username: string): Promise<void>;
}

export function createTrustedAuthorService({ db }: { db: Database }): TrustedAuthorService {
  return {
    async list(repository, page) {
      const { rows, total } = await store.listTrusted(db, repository.id, page);
      return { items: rows.map(presentTrusted), total };
    },
    remove: (actor, repository, username) =>
      db.transaction(async (tx) => {
        const removed = await store.removeTrusted(tx, repository.id, username);
        if (!removed) throw new AppError("not_found");
        const { owner, name, id } = repository;
        await recordAudit(tx, actor, {
          action: "repository.untrust_author",
          target: { type: "repository", id, name: `${owner}/${name}` },
          details: { username: removed.username },
        });
      }),
  };
}
