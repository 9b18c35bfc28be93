/** Saved filters as the REST interface shows them. */
import type { SavedFilter, SharedFilter } from "@forgeline/schemas/saved-filters/resource.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import type { RepositoryRef } from "../../policy/domain.ts";
import type { SavedFilterRow } from "./saved-filters.store.ts";
import type { SharedFilterRow } from "./shared-filters.store.ts";

export function presentSavedFilter(row: SavedFilterRow, addresses: Addresses): SavedFilter {
  const { id, name, kind, query, repository_id: repositoryId, full_name: fullName } = row;
  return {
    id,
    name,
    kind,
    query,
    repository: repositoryId === null || fullName === null ? null : { id: repositoryId, full_name: fullName },
    url: `${addresses.baseUrl}/user/filters/${id}`,
    web_url: `${addresses.webUrl}${listOf(row)}q=${encodeURIComponent(query)}`,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

export function presentSharedFilter(
  row: SharedFilterRow,
  repository: RepositoryRef,
  addresses: Addresses,
): SharedFilter {
  const { id, name, kind, query } = row;
  const full_name = `${repository.owner}/${repository.name}`;
  return {
    id,
    name,
    kind,
    query,
    url: `${addresses.baseUrl}/repos/${full_name}/filters/${id}`,
    web_url: `${addresses.webUrl}${listOf({ kind, full_name })}q=${encodeURIComponent(query)}`,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

const places = { issue: "issues", merge_request: "merge-requests" } as const;

function listOf({ kind, full_name: fullName }: Pick<SavedFilterRow, "kind" | "full_name">): string {
  return fullName === null ? `/search/${places[kind]}?` : `/${fullName}/${places[kind]}?`;
}
