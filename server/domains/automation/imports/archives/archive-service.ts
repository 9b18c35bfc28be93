/** Exports that people upload, to import them. Each sees the own ones. */
import { maxImportArchives, type ImportArchive } from "@forgeline/schemas/imports/archives.ts";
import { userIdOf, type Actor } from "../../../../platform/access/actor.ts";
import type { Addresses } from "../../../../platform/addresses.ts";
import { AppError } from "../../../../platform/app-error.ts";
import type { Database, Transaction } from "../../../../platform/db/database.ts";
import { newId } from "../../../../platform/ids.ts";
import { recordAudit } from "../../../operation/domain.ts";
import { tooLarge, type ArchiveBytes } from "./archive-bytes.ts";
import { presentImportArchive } from "../present.ts";
import * as store from "./archives.store.ts";

export interface UploadedArchive {
  bytes: AsyncIterable<Buffer>;
  /** As its uploader says it; undefined: not said. */
  sizeBytes: number | undefined;
}

export interface ImportArchiveService {
  /** Throws `payload_too_large`, `validation_failed` for no archive, and `conflict` past the most that one person has. */
  create(actor: Actor, name: string, file: UploadedArchive): Promise<ImportArchive>;
  /** Newest first. */
  list(actor: Actor): Promise<ImportArchive[]>;
  /** Throws `not_found`. */
  get(actor: Actor, id: string): Promise<ImportArchive>;
  /** Throws `not_found`, and `conflict` while an import reads it. */
  remove(actor: Actor, id: string): Promise<void>;
}

export interface ImportArchiveDeps {
  db: Database;
  addresses: Pick<Addresses, "baseUrl" | "webUrl">;
  archiveBytes: ArchiveBytes;
  maxArchiveBytes: number;
}

const tooMany = `You have ${maxImportArchives} archives here already. Remove one first.`;
const isRead = "An import reads this archive. Wait for its end, or stop it.";

export function createImportArchiveService({
  db,
  addresses,
  archiveBytes,
  maxArchiveBytes,
}: ImportArchiveDeps): ImportArchiveService {
  async function note(tx: Transaction, actor: Actor, { id, name }: { id: string; name: string }) {
    if ((await store.countArchives(tx, userIdOf(actor))) >= maxImportArchives)
      throw new AppError("conflict", { message: tooMany });
    await tx.query(store.statements.insertArchive, [id, userIdOf(actor), name]);
  }

  const shown = (row: store.ArchiveRow) => presentImportArchive(row, addresses);

  async function forget(id: string): Promise<void> {
    await archiveBytes.remove(id);
    await db.query(store.statements.deleteArchive, [id]);
  }

  return {
    async create(actor, name, { bytes, sizeBytes }) {
      if ((sizeBytes ?? 0) > maxArchiveBytes) throw tooLarge(maxArchiveBytes);
      const id = newId("iarc");
      await db.transaction((tx) => note(tx, actor, { id, name }));
      try {
        const size = await archiveBytes.keep(id, bytes, maxArchiveBytes);
        return await db.transaction(async (tx) => {
          const row = await tx.one(store.statements.noteStored, [id, size]);
          // Whoever uploads it was deleted meanwhile.
          if (!row) throw new AppError("not_found");
          await record(tx, actor, {
            action: "import_archive.create",
            id,
            name,
            details: { size_bytes: size },
          });
          return shown(row);
        });
      } catch (error) {
        await forget(id);
        throw error;
      }
    },
    async list(actor) {
      return (await db.query(store.statements.listArchives, [userIdOf(actor)])).map(shown);
    },
    async get(actor, id) {
      const row = await db.one(store.statements.findArchive, [userIdOf(actor), id]);
      if (!row) throw new AppError("not_found");
      return shown(row);
    },
    async remove(actor, id) {
      await db.transaction(async (tx) => {
        const row = await tx.one(store.statements.lockArchive, [userIdOf(actor), id]);
        if (!row) throw new AppError("not_found");
        if (row.is_read) throw new AppError("conflict", { message: isRead });
        await tx.query(store.statements.deleteArchive, [id]);
        await record(tx, actor, { action: "import_archive.delete", id, name: row.name, details: {} });
      });
      // What stays where this fails, upkeep removes.
      await archiveBytes.remove(id);
    },
  };
}

async function record(
  tx: Transaction,
  actor: Actor,
  {
    action,
    id,
    name,
    details,
  }: {
    action: "import_archive.create" | "import_archive.delete";
    id: string;
    name: string;
    details: Record<string, unknown>;
  },
): Promise<void> {
  await recordAudit(tx, actor, {
    action,
    target: { type: "user", id: userIdOf(actor), name },
    details: { ...details, archive_id: id },
  });
}
