/** Secrets and their uses as the REST interface shows them. */
import type { Secret, SecretUse } from "@forgeline/schemas/secrets/resource.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import type { SecretRecord, SecretUseRow } from "./secrets.store.ts";
import { runAddress } from "../runs/run-address.ts";

export interface SecretPaths {
  api: string;
  web: string;
}

export function presentSecret(row: SecretRecord, paths: SecretPaths, addresses: Addresses): Secret {
  return {
    id: row.id,
    name: row.name,
    branches: row.branches,
    tags: row.tags,
    events: row.event_names,
    stages: row.stage_globs,
    images: row.images,
    environments: row.environments,
    repositories: row.repositories,
    updated_by: row.updated_by,
    last_used_at: row.last_used_at?.toISOString() ?? null,
    url: `${addresses.baseUrl}/${paths.api}/secrets/${row.name}`,
    web_url: `${addresses.webUrl}/${paths.web}/${row.name}`,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

export function presentSecretUse(row: SecretUseRow, addresses: Addresses): SecretUse {
  return {
    repository: row.repository,
    pipeline_id: row.pipeline_id,
    pipeline_number: row.pipeline_number,
    job_id: row.job_id,
    job: row.job,
    attempt: row.attempt,
    used_at: row.used_at.toISOString(),
    web_url: runAddress(addresses.webUrl, row.repository, row.pipeline_number),
  };
}
