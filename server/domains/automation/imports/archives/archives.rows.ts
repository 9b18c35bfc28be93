/** Made by `node scripts/generate-rows.ts` from the statements of archives.store.ts; do not edit. */

export interface ArchivesRows {
  lockUser: {
    pg_advisory_xact_lock: string | null;
  };
  countArchives: {
    count: number;
  };
  insertArchive: never;
  noteStored: {
    id: string;
    name: string;
    size_bytes: number | null;
    created_at: Date;
    updated_at: Date;
  };
  listArchives: {
    id: string;
    name: string;
    size_bytes: number;
    created_at: Date;
    updated_at: Date;
  };
  findArchive: {
    id: string;
    name: string;
    size_bytes: number;
    created_at: Date;
    updated_at: Date;
  };
  lockArchive: {
    id: string;
    name: string;
    is_read: boolean;
  };
  deleteArchive: never;
  removeExpired: {
    id: string;
  };
  listPresent: {
    id: string;
  };
  insertRecords: never;
  listRecords: {
    record: unknown;
  };
  removeRecords: {
    import_id: string;
  };
}
