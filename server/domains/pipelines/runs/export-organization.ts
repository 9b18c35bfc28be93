/** The history of the runs of an organization's repositories, as far as the caller may read them: of any length in little memory. */
import type { PipelineExportQuery } from "@forgeline/schemas/pipelines/routes.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import type { Database } from "../../../platform/db/database.ts";
import type { Revalidate } from "../../../platform/http/revalidate.ts";
import type { OrganizationRef } from "../../policy/domain.ts";
import { createRunReader } from "./ended-run.ts";
import { findRange, listEnded, type EndedRow, type Range, type Reader } from "./export-organization.store.ts";

export interface OrganizationExport {
  /** Lines of JSON, each with its end; empty ones, so that nobody waits for long, are no lines. */
  open(asked: ExportAsked): Promise<AsyncGenerator<string>>;
}

interface ExportAsked {
  actor: Actor;
  organization: OrganizationRef;
  query: PipelineExportQuery;
  revalidate: Revalidate;
}

const idsAtOnce = 200;
/** Looked at together: in an instance with very many runs, those of one organization are not found by an index. */
const dayMs = 24 * 60 * 60 * 1000;

export function createOrganizationExport(deps: {
  db: Database;
  addresses: { baseUrl: string; webUrl: string };
}): OrganizationExport {
  const { db } = deps;
  const readEnded = createRunReader(deps);

  /** Day by day; undefined after each question. Rights that end meanwhile count at the next one. */
  async function* ended(reader: Reader, { oldest, newest }: Range, until: Date | null) {
    if (oldest === null || newest === null) return;
    const last = new Date(newest).getTime();
    for (let from = oldest.getTime(); from <= last; from += dayMs) {
      const to = new Date(Math.min(from + dayMs, until?.getTime() ?? Infinity));
      yield* endedWithin(reader, new Date(from), to);
    }
  }
  async function* endedWithin(reader: Reader, from: Date, to: Date) {
    let after: EndedRow | undefined;
    for (;;) {
      const rows = await listEnded(db, reader, { from, to, after, limit: idsAtOnce });
      yield* rows;
      yield undefined;
      if (rows.length < idsAtOnce) return;
      after = rows.at(-1);
    }
  }
  async function* lines(reader: Reader, range: Range, until: Date | null) {
    for await (const row of ended(reader, range, until)) {
      if (row === undefined) yield "";
      else if (row.repository !== null) {
        const run = await readEnded(row.id);
        if (run) yield `${JSON.stringify({ repository: row.repository, ...run })}\n`;
      }
    }
  }
  return {
    async open({ actor: { userId, isAdmin }, organization, query, revalidate }) {
      const { since = null, until = null } = query;
      const reader = { organizationId: organization.id, userId, isAdmin };
      const range = await findRange(db, reader, { since, until });
      revalidate(`${range?.runs ?? 0} ${range?.newest ?? ""} ${range?.names ?? ""}`);
      const nothing: Range = { names: null, runs: 0, oldest: null, newest: null };
      return lines(reader, range ?? nothing, until === null ? null : new Date(until));
    },
  };
}
