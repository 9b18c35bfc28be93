/** The history of a repository's runs, one at a time: of any length in little memory. */
import type { PipelineExportQuery } from "@forgeline/schemas/pipelines/routes.ts";
import type { Database } from "../../../platform/db/database.ts";
import type { Revalidate } from "../../../platform/http/revalidate.ts";
import type { RepositoryRef } from "../../policy/domain.ts";
import { createRunReader } from "./ended-run.ts";
import { findVersion, listEnded, type EndedBetween, type EndedRow } from "./export.store.ts";

export interface RunExport {
  /** Lines of JSON, each with its end. Runs that go on again meanwhile are left out. */
  open(
    repository: RepositoryRef,
    query: PipelineExportQuery,
    revalidate: Revalidate,
  ): Promise<AsyncGenerator<string>>;
}

const idsAtOnce = 200;

export function createRunExport(deps: {
  db: Database;
  addresses: { baseUrl: string; webUrl: string };
}): RunExport {
  const { db } = deps;
  const readEnded = createRunReader(deps);

  async function* ended(between: EndedBetween) {
    let after: EndedRow | undefined;
    for (;;) {
      const rows = await listEnded(db, between, { after, limit: idsAtOnce });
      yield* rows;
      if (rows.length < idsAtOnce) return;
      after = rows.at(-1);
    }
  }
  async function* lines(between: EndedBetween) {
    for await (const { id } of ended(between)) {
      const run = await readEnded(id);
      if (run) yield `${JSON.stringify(run)}\n`;
    }
  }
  return {
    async open({ id }, { since, until }, revalidate) {
      const between = { repositoryId: id, since: since ?? null, until: until ?? null };
      revalidate(await findVersion(db, between));
      return lines(between);
    },
  };
}
