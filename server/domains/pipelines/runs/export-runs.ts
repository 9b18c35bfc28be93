/** The history of a repository's runs, one at a time: of any length in little memory. */
import type { PipelineExportQuery } from "@forgeline/schemas/pipelines/routes.ts";
import { isFinal } from "@forgeline/schemas/pipelines/status.ts";
import type { Database } from "../../../platform/db/database.ts";
import type { RepositoryRef } from "../../policy/domain.ts";
import { listEnded, type EndedRow } from "./export.store.ts";
import { presentRun } from "./present.ts";
import { readRun } from "./runs.store.ts";

export interface RunExport {
  /** Lines of JSON, each with its end. Runs that go on again meanwhile are left out. */
  lines(repository: RepositoryRef, query: PipelineExportQuery): AsyncGenerator<string>;
}

const idsAtOnce = 200;
const nothingWaits = { attempts: new Map(), slots: new Map() };

export function createRunExport(deps: {
  db: Database;
  addresses: { baseUrl: string; webUrl: string };
}): RunExport {
  const { db, addresses } = deps;

  async function* ended({ id }: RepositoryRef, { since, until }: PipelineExportQuery) {
    const between = { repositoryId: id, since: since ?? null, until: until ?? null };
    let after: EndedRow | undefined;
    for (;;) {
      const rows = await listEnded(db, between, { after, limit: idsAtOnce });
      yield* rows;
      if (rows.length < idsAtOnce) return;
      after = rows.at(-1);
    }
  }
  return {
    async *lines(repository, query) {
      for await (const { id } of ended(repository, query)) {
        const row = await readRun(db, id);
        if (!row || !isFinal(row.status)) continue;
        const view = { baseUrl: addresses.baseUrl, webUrl: addresses.webUrl, nowMs: Date.now() };
        yield `${JSON.stringify(presentRun(row, nothingWaits, view))}\n`;
      }
    },
  };
}
