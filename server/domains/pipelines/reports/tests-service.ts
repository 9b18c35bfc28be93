/** Tests that jobs report, for people: of a run, of a repository, one through time; and the quarantine. */
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import type { QuarantineBody, RunTestQuery, TestQuery } from "@forgeline/schemas/tests/routes.ts";
import type { Test } from "@forgeline/schemas/tests/resource.ts";
import type { z } from "zod";
import type { Actor } from "../../../platform/access/actor.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { Database, Transaction } from "../../../platform/db/database.ts";
import { recordAudit } from "../../operation/domain.ts";
import type { RepositoryRef } from "../../policy/domain.ts";
import { presentRunTest, presentTest, presentTestResult } from "./present.ts";
import { findRun } from "./reports.store.ts";
import * as store from "./tests.store.ts";

export type TestService = ReturnType<typeof createTestService>;

/** Everything throws `not_found`. */
export function createTestService({ db }: { db: Database }) {
  async function find(repository: RepositoryRef, id: string): Promise<Test> {
    const row = await store.find(db, repository.id, id);
    if (!row) throw new AppError("not_found");
    return presentTest(row);
  }

  async function note(tx: Transaction, actor: Actor, { repository, id, name, action }: Noted): Promise<void> {
    const shown = name.suite === "" ? name.name : `${name.suite} › ${name.name}`;
    const target = { type: "test", id, name: `${repository.owner}/${repository.name} ${shown}` } as const;
    await recordAudit(tx, actor, { action, target });
  }

  return {
    /** Of a run, by id or number: failures first, those in quarantine after the others. */
    async ofRun(repository: RepositoryRef, pipeline: string, query: z.infer<typeof RunTestQuery>) {
      const run = await findRun(db, repository.id, pipeline);
      if (run === undefined) throw new AppError("not_found");
      const { rows, total } = await store.listOfRun(db, run, query);
      return { items: rows.map(presentRunTest), total };
    },
    async list(repository: RepositoryRef, query: z.infer<typeof TestQuery>) {
      const { rows, total } = await store.list(db, repository.id, query);
      return { items: rows.map(presentTest), total };
    },
    get: find,
    async results(repository: RepositoryRef, id: string, page: z.infer<typeof PageQuery>) {
      const { id: found } = await find(repository, id);
      const { rows, total } = await store.listResults(db, found, page);
      return { items: rows.map(presentTestResult), total };
    },
    /** Also changes the reason of one that is in quarantine. */
    async quarantine(
      actor: Actor,
      repository: RepositoryRef,
      { id, reason }: { id: string } & z.infer<typeof QuarantineBody>,
    ): Promise<Test> {
      await db.transaction(async (tx) => {
        const wanted = { id, userId: actor.userId, reason: reason ?? null };
        const name = await store.quarantine(tx, repository.id, wanted);
        if (!name) throw new AppError("not_found");
        await note(tx, actor, { repository, id, name, action: "test.quarantine" });
      });
      return find(repository, id);
    },
    /** Nothing happens to one that is not in quarantine. */
    async release(actor: Actor, repository: RepositoryRef, id: string): Promise<void> {
      await find(repository, id);
      await db.transaction(async (tx) => {
        const name = await store.release(tx, repository.id, id);
        if (name) await note(tx, actor, { repository, id, name, action: "test.release" });
      });
    },
  };
}

interface Noted {
  repository: RepositoryRef;
  id: string;
  name: store.TestName;
  action: "test.quarantine" | "test.release";
}
