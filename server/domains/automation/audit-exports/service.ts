/** Exports of audit logs as people ask for them. `owner` null: the instance's log. */
import type {
  AuditExport,
  AuditExportCreate,
  ExportFormat,
} from "@forgeline/schemas/audit-exports/resource.ts";
import { maxOpenExports } from "@forgeline/schemas/audit-exports/resource.ts";
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import type { Readable } from "node:stream";
import { userIdOf, type Actor } from "../../../platform/access/actor.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { Database, Transaction } from "../../../platform/db/database.ts";
import { newId } from "../../../platform/ids.ts";
import { recordAudit, type AuditEntry } from "../../operation/domain.ts";
import { lostIsAbsent } from "../../../platform/objects/lost-object.ts";
import { targetOfLog, type LogOwner } from "./log-owner.ts";
import * as store from "./audit-exports.store.ts";
import type { ExportFiles } from "./export-files.ts";
import { addExportIntent } from "./intents.ts";
import type { ExportLinks } from "./links.ts";
import { presentAuditExport } from "./present.ts";

export interface ExportFile {
  content: Readable;
  sizeBytes: number;
  format: ExportFormat;
  /** For whoever saves it. */
  name: string;
}

export interface AuditExportService {
  /** Throws `conflict` past the most that may run. */
  create(actor: Actor, owner: LogOwner, wanted: AuditExportCreate): Promise<AuditExport>;
  list(owner: LogOwner, page: PageQuery): Promise<{ items: AuditExport[]; total: number }>;
  /** Throws `not_found`; so do the following. */
  get(owner: LogOwner, id: string): Promise<AuditExport>;
  remove(actor: Actor, owner: LogOwner, id: string): Promise<void>;
  /** For whoever has a signed address. Throws `forbidden` for one that has expired. */
  open(id: string, query: { expires: string; signature: string }): Promise<ExportFile>;
}

export interface AuditExportServiceDeps {
  db: Database;
  addresses: Addresses;
  links: ExportLinks;
  files: ExportFiles;
}

export function createAuditExportService(deps: AuditExportServiceDeps): AuditExportService {
  const { db, links, files } = deps;

  async function get(owner: LogOwner, id: string): Promise<AuditExport> {
    const row = await store.findExport(db, owner?.id ?? null, id);
    if (!row) throw new AppError("not_found");
    return presentAuditExport(row, deps);
  }

  return {
    get,
    async create(actor, owner, { format, ...filters }) {
      const id = newId("exp");
      const ownerId = owner?.id ?? null;
      await db.transaction(async (tx) => {
        if ((await store.countOpen(tx, ownerId)) >= maxOpenExports)
          throw new AppError("conflict", {
            message: `At most ${maxOpenExports} exports run at a time. Wait for one, or delete it.`,
          });
        await store.insertExport(tx, { id, owner: ownerId, format, filters, userId: userIdOf(actor) });
        await record(tx, { actor, owner, id }, { action: "audit.export", details: { format, filters } });
        await addExportIntent(tx, id);
      });
      return get(owner, id);
    },
    async list(owner, page) {
      const { rows, total } = await store.listExports(db, owner?.id ?? null, page);
      return { items: rows.map((row) => presentAuditExport(row, deps)), total };
    },
    async remove(actor, owner, id) {
      await db.transaction(async (tx) => {
        const gone = await store.deleteExport(tx, owner?.id ?? null, id);
        if (!gone) throw new AppError("not_found");
        await record(tx, { actor, owner, id }, { action: "audit.export_delete", details: {} });
      });
      await files.removeAll(id);
    },
    async open(id, query) {
      links.check(id, query);
      const row = await store.openFile(db, id);
      if (!row) throw new AppError("not_found");
      const content = await files.open(id).catch(lostIsAbsent);
      const name = `audit-log-${row.organization ?? "instance"}-${id}.${row.format}`;
      return { content, sizeBytes: row.size_bytes ?? 0, format: row.format, name };
    },
  };
}

async function record(
  tx: Transaction,
  { actor, owner, id }: { actor: Actor; owner: LogOwner; id: string },
  { action, details }: Pick<AuditEntry, "action" | "details">,
): Promise<void> {
  const target = targetOfLog(owner);
  await recordAudit(tx, actor, { action, target, details: { export_id: id, ...details } });
}
