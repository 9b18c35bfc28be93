/** Exports as the REST interface shows them. */
import type { AuditExport } from "@forgeline/schemas/audit-exports/resource.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { fileDays, type ExportRow } from "./audit-exports.store.ts";
import type { ExportLinks } from "./links.ts";

const dayMs = 24 * 60 * 60 * 1000;

export function presentAuditExport(
  row: ExportRow,
  { addresses, links }: { addresses: Addresses; links: ExportLinks },
): AuditExport {
  const log = row.organization === null ? "/admin" : `/orgs/${encodeURIComponent(row.organization)}`;
  const page = row.organization === null ? "/-/admin/audit-log/exports" : `${log}/audit-log/exports`;
  const isThere = row.status === "done" && row.removed_at === null;
  const link = isThere ? links.sign(row.id) : null;
  const { finished_at: finished } = row;
  const keptUntil = isThere && finished ? new Date(finished.getTime() + fileDays * dayMs) : null;
  return {
    id: row.id,
    status: row.status,
    format: row.format,
    filters: row.filters,
    progress: progressOf(row),
    rows: row.entry_count,
    bytes: row.size_bytes,
    sha256: row.sha256,
    download_url: link && `${addresses.baseUrl}/audit-log/exports/${row.id}/file?${link.query}`,
    expires_at: link && link.expiresAt.toISOString(),
    kept_until: keptUntil && keptUntil.toISOString(),
    error: row.error,
    requested_by: row.requested_by,
    url: `${addresses.baseUrl}${log}/audit-log/exports/${row.id}`,
    web_url: `${addresses.webUrl}${page}`,
    created_at: row.created_at.toISOString(),
    updated_at: (finished ?? row.created_at).toISOString(),
  };
}

function progressOf({ status, end_number: end, done_number: done }: ExportRow): number {
  if (status === "done") return 1;
  return end === null || end === 0 ? 0 : Math.floor((done / end) * 1000) / 1000;
}
