/** Keys that sign jobs, as the REST interface shows them. */
import type { SigningKey } from "@forgeline/schemas/signing-keys/resource.ts";
import type { RepositoryRef } from "../../policy/domain.ts";
import type { SigningKeyRow } from "./signing-keys.store.ts";

/** `repository` null: of the instance. */
export function presentSigningKey(
  row: SigningKeyRow,
  repository: RepositoryRef | null,
  { baseUrl, webUrl }: { baseUrl: string; webUrl: string },
): SigningKey {
  const name = repository && `${repository.owner}/${repository.name}`;
  const publicKey = row.public_key.toString("base64");
  const created = row.created_at.toISOString();
  return {
    id: row.id,
    repository: name,
    public_key: publicKey,
    trusted_line: `ed25519 ${publicKey}${repository ? ` ${repository.id} # ${name}` : ""}`,
    created_by: row.created_by,
    url: `${baseUrl}${name === null ? "" : `/repos/${name}`}/signing-keys/${row.id}`,
    web_url: `${webUrl}${name === null ? "" : `/${name}/settings`}/runners`,
    created_at: created,
    updated_at: created,
  };
}
