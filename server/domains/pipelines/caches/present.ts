/** Caches as REST shows them. */
import { combinationName } from "@forgeline/compiler/matrix.ts";
import type { Cache, CacheUse, CacheUser } from "@forgeline/schemas/caches/resource.ts";
import type { CacheRow, UserRow, UseRow } from "./listed-cache.store.ts";
import { shownScope } from "./scope.ts";

export interface CacheAddresses {
  baseUrl: string;
  webUrl: string;
}

/** `users`: of all that are shown, newest first. */
export function presentCache(row: CacheRow, users: readonly UserRow[], addresses: CacheAddresses): Cache {
  const own = users.filter(({ cache_id: id }) => id === row.id);
  const caches = `${row.owner}/${row.repository}/caches`;
  const saver = own.find(({ saved }) => saved);
  return {
    id: row.id,
    url: `${addresses.baseUrl}/repos/${caches}/${row.id}`,
    web_url: `${addresses.webUrl}/${caches}`,
    key: row.key,
    ...shownScope(row.scope),
    paths: row.paths,
    size: row.size_bytes,
    created_at: row.created_at.toISOString(),
    updated_at: row.saved_at.toISOString(),
    last_used_at: row.last_used_at.toISOString(),
    saved_by: saver ? presentUser(saver) : null,
    used_by: own.filter(({ saved }) => !saved).map(presentUser),
  };
}

function presentUser(row: UserRow): CacheUser {
  return {
    pipeline: { id: row.pipeline_id, number: row.pipeline_number },
    job: presentJob(row),
    at: row.used_at.toISOString(),
  };
}

function presentJob({ job_id: id, job: key, matrix }: Pick<UserRow, "job_id" | "job" | "matrix">) {
  return { id, key, label: combinationName(key, matrix) };
}

export function presentCacheUse(row: UseRow): CacheUse {
  const { restored_key: key, restored_bytes: size } = row;
  return {
    job: presentJob(row),
    key: row.key,
    restored:
      key === null ? null : { key, exact: key === row.key, size: size ?? 0, cache_id: row.restored_id },
    saved: row.saved_bytes === null ? null : { size: row.saved_bytes, cache_id: row.saved_id },
    at: row.used_at.toISOString(),
  };
}
