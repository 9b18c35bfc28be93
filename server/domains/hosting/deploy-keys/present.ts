/** Deploy keys as the REST interface shows them. */
import type { DeployKey } from "@forgeline/schemas/deploy-keys/resource.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import type { RepositoryRef } from "../../policy/domain.ts";
import type { DeployKeyRow } from "../../accounts/domain.ts";

export function presentDeployKey(
  row: DeployKeyRow,
  repository: RepositoryRef,
  addresses: Addresses,
): DeployKey {
  const name = `${repository.owner}/${repository.name}`;
  return {
    id: row.id,
    title: row.title,
    permission: row.permission,
    kind: row.kind,
    key: row.public_key,
    fingerprint: row.fingerprint,
    added_by: row.added_by,
    last_used_at: row.last_used_at?.toISOString() ?? null,
    url: `${addresses.baseUrl}/repos/${name}/deploy-keys/${row.id}`,
    web_url: `${addresses.webUrl}/${name}/settings/deploy-keys#${row.id}`,
    created_at: row.created_at.toISOString(),
    updated_at: row.created_at.toISOString(),
  };
}
