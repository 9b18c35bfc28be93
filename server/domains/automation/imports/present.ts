/** Imports as the REST interface shows them. */
import { archiveDays, type ImportArchive } from "@forgeline/schemas/imports/archives.ts";
import type { Import } from "@forgeline/schemas/imports/resource.ts";
import type { ImportRequest } from "@forgeline/schemas/imports/people.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import type { ArchiveRow } from "./archives/archives.store.ts";
import type { ImportRow } from "./imports.store.ts";
import type { RequestRow } from "./requests.store.ts";

export function presentImport(
  row: ImportRow,
  { baseUrl, webUrl }: Pick<Addresses, "baseUrl" | "webUrl">,
): Import {
  return {
    id: row.id,
    source: row.source,
    api_url: row.api_url,
    source_repository: row.source_path,
    from_archive: row.from_archive,
    repository: row.repository_name,
    state: row.status,
    step: row.step,
    include: row.include,
    progress: presentProgress(row),
    left_out: row.left_out,
    number_offset: row.number_offset,
    resumes_at: row.resumes_at?.toISOString() ?? null,
    error: row.error,
    requested_by: row.requested_by,
    finished_at: row.finished_at?.toISOString() ?? null,
    url: `${baseUrl}/imports/${row.id}`,
    web_url: `${webUrl}/-/imports/${row.id}`,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

export function presentImportArchive(
  row: ArchiveRow,
  { baseUrl, webUrl }: Pick<Addresses, "baseUrl" | "webUrl">,
): ImportArchive {
  const expires = new Date(row.created_at.getTime() + archiveDays * 24 * 60 * 60 * 1000);
  return {
    id: row.id,
    name: row.name,
    size_bytes: row.size_bytes,
    expires_at: expires.toISOString(),
    url: `${baseUrl}/imports/archives/${row.id}`,
    web_url: `${webUrl}/-/imports`,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

function presentProgress({ progress }: ImportRow): Import["progress"] {
  const { labels = 0, milestones = 0, issues = 0, merge_requests = 0, comments = 0, reviews = 0 } = progress;
  return { labels, milestones, issues, merge_requests, comments, reviews };
}

export function presentImportRequest(row: RequestRow, { webUrl }: Pick<Addresses, "webUrl">): ImportRequest {
  return {
    id: row.id,
    login: row.login,
    host: row.host,
    source_repository: row.source_path,
    repository: row.repository,
    asked_by: row.asked_by,
    expires_at: row.expires_at.toISOString(),
    web_url: `${webUrl}/settings/imported-texts`,
    created_at: row.created_at.toISOString(),
  };
}
