/** Writes the files of exports, in constant memory: part after part, and after a crash from the last part on. */
import { crashPoint } from "../../../platform/crash-point.ts";
import type { Database } from "../../../platform/db/database.ts";
import { isDiskFull } from "../../../platform/disk-full.ts";
import type { AuditReader } from "../../operation/domain.ts";
import * as store from "./audit-exports.store.ts";
import { frameOf, type ExportFiles } from "./export-files.ts";
import type { AuditExportMetrics } from "./metrics.ts";

export interface AuditExports {
  /** Throws for what a later attempt may not meet, and the signal's reason. Safe to call twice. */
  write(exportId: string, signal: AbortSignal): Promise<void>;
  /** For work that was cancelled: ends it, and removes what it has stored. */
  giveUp(exportId: string, error?: string): Promise<void>;
}

export interface AuditExportDeps {
  db: Database;
  reader: AuditReader;
  files: ExportFiles;
  metrics: AuditExportMetrics;
}

/** Entries that one statement looks at, and how many statements run at once: one reads while the other is written down. */
const rowsAtOnce = 2_500;
const atOnce = 2;
const partChars = 8 * 1024 * 1024;

export function createAuditExports(deps: AuditExportDeps): AuditExports {
  const { db, reader, files, metrics } = deps;

  async function giveUp(exportId: string, error = "It was stopped."): Promise<void> {
    if (await store.failExport(db, exportId, error)) metrics.ended("failed", 0);
    await files.removeAll(exportId);
  }

  return {
    giveUp,
    async write(exportId, signal) {
      const known = await store.findOwner(db, exportId);
      const begun =
        known && (await store.beginExport(db, exportId, await reader.head(known.organization_id)));
      if (!begun) return;
      try {
        const parts = await gather(deps, begun, signal);
        if (parts === undefined) return await files.removeAll(exportId);
        const file = await files.putTogether(exportId, parts, frameOf(begun.format, reader.csvTitles));
        crashPoint("export.file-before-done");
        if (!(await store.finishExport(db, exportId, file))) return await files.removeAll(exportId);
        await files.removeParts(exportId, parts);
        metrics.ended("done", file.sizeBytes);
      } catch (error) {
        signal.throwIfAborted();
        if (!isDiskFull(error)) throw error;
        await giveUp(
          exportId,
          "The disk of the server is full. Please tell the administrator of the instance.",
        );
      }
    },
  };
}

/**
 * Stores what is not stored yet, each part while the next one is read. How many parts there are; undefined where the export is not
 * wanted any more.
 */
async function gather(
  deps: AuditExportDeps,
  begun: store.BegunExport,
  signal: AbortSignal,
): Promise<number | undefined> {
  let { part_count: parts, entry_count: entries } = begun;
  let text = "";
  let kept = Promise.resolve(true);
  const until = begun.end_number ?? 0;
  try {
    for await (const read of readAhead(deps.reader, { begun, until, signal })) {
      text += read.text;
      entries += read.rows;
      if (text.length < partChars && read.last < until) continue;
      if (!(await kept)) return undefined;
      if (text !== "") parts += 1;
      kept = keepPart(deps, begun.id, { text, until: read.last, parts, entries });
      text = "";
    }
    return (await kept) ? parts : undefined;
  } finally {
    await Promise.allSettled([kept]);
  }
}

/** The last of so many parts. False where the export is not wanted any more. */
async function keepPart(
  { db, files }: AuditExportDeps,
  exportId: string,
  { text, ...done }: { text: string; until: number; parts: number; entries: number },
): Promise<boolean> {
  if (text !== "") await files.putPart(exportId, done.parts - 1, text);
  crashPoint("export.part-before-noted");
  return store.notePart(db, exportId, done);
}

type Read = Awaited<ReturnType<AuditReader["readPart"]>>;

/** Parts of the log in order, some of which are read before they are asked for. */
async function* readAhead(
  reader: AuditReader,
  { begun, until, signal }: { begun: store.BegunExport; until: number; signal: AbortSignal },
): AsyncGenerator<Read> {
  const { organization_id: owner, filters, format } = begun;
  const open: Promise<Read>[] = [];
  let after = begun.done_number;
  try {
    while (open.length > 0 || after < until) {
      signal.throwIfAborted();
      while (open.length < atOnce && after < until) {
        const end = Math.min(after + rowsAtOnce, until);
        open.push(reader.readPart({ owner, filters, format, after, until: end, limit: rowsAtOnce }));
        after = end;
      }
      const next = await open.shift();
      if (next) yield next;
    }
  } finally {
    await Promise.allSettled(open);
  }
}
