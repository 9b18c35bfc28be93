/** Made by `node scripts/generate-rows.ts` from the statements of audit-exports.store.ts; do not edit. */

export interface AuditExportsRows {
  insertExport: never;
  lockLog: {
    pg_advisory_xact_lock: string | null;
  };
  countOpen: {
    count: number;
  };
  findExport: {
    id: string;
    organization_id: string | null;
    format: "csv" | "json" | "jsonl";
    filters: unknown;
    status: "done" | "failed" | "queued" | "running";
    end_number: number | null;
    done_number: number;
    entry_count: number;
    size_bytes: number | null;
    sha256: string | null;
    error: string | null;
    created_at: Date;
    finished_at: Date | null;
    removed_at: Date | null;
    requested_by: string | null;
    organization: string | null;
  };
  findOwner: {
    organization_id: string | null;
  };
  openFile: {
    id: string;
    organization_id: string | null;
    format: "csv" | "json" | "jsonl";
    filters: unknown;
    status: "done" | "failed" | "queued" | "running";
    end_number: number | null;
    done_number: number;
    entry_count: number;
    size_bytes: number | null;
    sha256: string | null;
    error: string | null;
    created_at: Date;
    finished_at: Date | null;
    removed_at: Date | null;
    requested_by: string | null;
    organization: string | null;
  };
  listExports: {
    id: string;
    organization_id: string | null;
    format: "csv" | "json" | "jsonl";
    filters: unknown;
    status: "done" | "failed" | "queued" | "running";
    end_number: number | null;
    done_number: number;
    entry_count: number;
    size_bytes: number | null;
    sha256: string | null;
    error: string | null;
    created_at: Date;
    finished_at: Date | null;
    removed_at: Date | null;
    requested_by: string | null;
    organization: string | null;
  };
  beginExport: {
    id: string;
    organization_id: string | null;
    format: "csv" | "json" | "jsonl";
    filters: unknown;
    end_number: number | null;
    done_number: number;
    part_count: number;
    entry_count: number;
  };
  notePart: {
    id: string;
  };
  finishExport: {
    id: string;
  };
  failExport: {
    id: string;
  };
  deleteExport: {
    id: string;
    status: "done" | "failed" | "queued" | "running";
    format: "csv" | "json" | "jsonl";
  };
  listOldFiles: {
    id: string;
  };
  noteRemoved: never;
  deleteOldExports: never;
}
