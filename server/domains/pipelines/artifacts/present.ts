/** Artifacts as REST shows them. */
import { combinationName } from "@forgeline/compiler/matrix.ts";
import type { Artifact, ArtifactFile } from "@forgeline/schemas/artifacts/resource.ts";
import { linkMode, programMode, type ZipEntry } from "@forgeline/schemas/artifacts/zip.ts";
import type { ArtifactRow } from "./artifact.store.ts";

export interface ArtifactAddresses {
  baseUrl: string;
  webUrl: string;
}

export function presentArtifact(row: ArtifactRow, addresses: ArtifactAddresses): Artifact {
  const run = `${row.owner}/${row.repository}/pipelines`;
  return {
    id: row.id,
    url: urlOf(row, addresses),
    web_url: `${addresses.webUrl}/${run}/${row.pipeline_number}`,
    name: row.name,
    job: { id: row.job_id, key: row.job, name: row.job_name, label: combinationName(row.job, row.matrix) },
    size: row.size_bytes,
    files_count: row.files,
    sha256: row.sha256,
    created_at: row.created_at.toISOString(),
    updated_at: row.published_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
  };
}

function urlOf(row: ArtifactRow, { baseUrl }: ArtifactAddresses): string {
  return `${baseUrl}/repos/${row.owner}/${row.repository}/pipelines/${row.pipeline_id}/artifacts/${row.id}`;
}

export function presentFile(row: ArtifactRow, entry: ZipEntry, addresses: ArtifactAddresses): ArtifactFile {
  const path = entry.path.split("/").map(encodeURIComponent).join("/");
  const kind = entry.mode === linkMode ? "symlink" : "file";
  return {
    path: entry.path,
    type: kind,
    size: entry.sizeBytes,
    executable: entry.mode === programMode,
    download_url: `${urlOf(row, addresses)}/files/${path}`,
  };
}
