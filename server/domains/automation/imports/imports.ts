/**
 * Brings a repository over, a page at a time. Each page is written in one transaction with the place where the next one begins, so an
 * import that is cut off anywhere goes on there, and writes nothing twice.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import { maxImportedItems } from "@forgeline/schemas/imports/resource.ts";
import type { ImportStep, StepImport } from "@forgeline/schemas/imports/workflow.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import type { Logger } from "../../../platform/logger.ts";
import { systemActor } from "../../../platform/access/actor.ts";
import { recordAudit } from "../../operation/domain.ts";
import * as store from "./imports.store.ts";
import type { ImportMetrics } from "./metrics.ts";
import { readNext, type ReadNextDeps } from "./read-next.ts";
import { SourceProblem, SourceUnavailable } from "./source-problem.ts";

export interface Imports {
  /** Reads pages for some seconds. Throws for what a later attempt may not meet, and the signal's reason. */
  step(wanted: StepImport, signal: AbortSignal): Promise<ImportStep>;
  /** For work that was cancelled or has failed. */
  giveUp(wanted: StepImport, error?: string): Promise<void>;
}

export interface ImportsDeps extends ReadNextDeps {
  logger: Logger;
  metrics: ImportMetrics;
}

const ended: ImportStep = { ended: true, waitMs: 0 };
const sliceMs = 8_000;
/** Tries of one page that failed, and the wait after the first. */
const maxFailures = 8;
const firstWaitMs = 1_000;
/** Records and pages: lists repeat some records, and most merge requests have two pages of their own. */
const maxReads = 3 * maxImportedItems;
const maxDays = 7;
const maxAgeMs = maxDays * 24 * 60 * 60 * 1000;
const stopped = "It was stopped before it ended.";

export function createImports(deps: ImportsDeps): Imports {
  const { db, metrics, logger } = deps;

  async function finish(
    row: store.BegunImport,
    status: "done" | "failed",
    error: string | null,
  ): Promise<ImportStep> {
    const isOver = await db.transaction((tx) => endImport(deps, tx, { row, status, error }));
    if (isOver) metrics.ended(status);
    return ended;
  }

  async function afterFailure(row: store.BegunImport, error: unknown): Promise<ImportStep> {
    if (error instanceof SourceProblem) return finish(row, "failed", error.message);
    if (!(error instanceof SourceUnavailable)) throw error;
    const counted = await db.one(store.statements.noteFailure, [row.id, row.attempt]);
    if (!counted) return ended;
    if (counted.failures >= maxFailures) return finish(row, "failed", error.message);
    return { ended: false, waitMs: firstWaitMs * 2 ** (counted.failures - 1) };
  }

  return {
    async step({ importId, attempt }, signal) {
      const until = performance.now() + sliceMs;
      for (;;) {
        const row = await store.begin(db, { importId, attempt });
        if (!row) return ended;
        const problem = problemWith(row);
        if (problem !== undefined) return finish(row, "failed", problem);
        try {
          const next = await readNext(deps, row, signal);
          if (next.kind === "done") return await finish(row, "done", null);
          if (next.kind === "wait") {
            await db.query(store.statements.pause, [importId, attempt, next.ms]);
            return { ended: false, waitMs: next.ms };
          }
        } catch (error) {
          signal.throwIfAborted();
          logger.info({ err: error, import_id: importId }, "a part of an import could not be read");
          return await afterFailure(row, error);
        }
        if (performance.now() > until) return { ended: false, waitMs: 0 };
        await nextTurn();
      }
    },
    async giveUp({ importId, attempt }, error = stopped) {
      const row = await store.begin(db, { importId, attempt });
      if (row) await finish(row, "failed", error);
    },
  };
}

const totalOf = ({ progress }: store.BegunImport): number =>
  Object.values(progress).reduce((sum, count) => sum + count, 0);

/** A host may answer for ever with what is known already, with what cannot be kept, or with asking to wait. */
function problemWith(row: store.BegunImport): string | undefined {
  if (totalOf(row) > maxImportedItems || row.records_read > maxReads)
    return `The import has more than ${maxImportedItems} records.`;
  if (Date.now() - row.begun_at.getTime() > maxAgeMs)
    return `The import has not ended within ${maxDays} days. Go on with it to read the rest.`;
  return undefined;
}

/** The repository can be written to from then on. False where the import had ended. */
export async function endImport(
  { mirroring }: Pick<ImportsDeps, "mirroring">,
  tx: Transaction,
  { row, status, error }: { row: store.BegunImport; status: "done" | "failed"; error: string | null },
): Promise<boolean> {
  if (!(await store.endImport(tx, row.id, { status, error }))) return false;
  if (row.repository_id === null) return true;
  await mirroring.release(tx, row.repository_id);
  await recordAudit(tx, systemActor, {
    action: "import.finish",
    target: { type: "repository", id: row.repository_id, name: row.repository_name },
    details: {
      import_id: row.id,
      status,
      from: `${row.host}/${row.source_path}`,
      progress: row.progress,
      left_out: row.left_out,
    },
  });
  return true;
}
