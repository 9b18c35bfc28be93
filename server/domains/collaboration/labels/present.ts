/** Labels as the REST interface shows them. */
import type { Label } from "@forgeline/schemas/labels/resource.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import type { RepositoryRef } from "../../policy/domain.ts";
import type { LabelRow } from "./labels.store.ts";
import { scopeOf } from "./scopes.ts";

export function presentLabel(row: LabelRow, repository: RepositoryRef, addresses: Addresses): Label {
  const path = [repository.owner, repository.name].map(encodeURIComponent).join("/");
  const { id, name, color, description } = row;
  return {
    id,
    name,
    color,
    description,
    scope: scopeOf(name),
    url: `${addresses.baseUrl}/repos/${path}/labels/${id}`,
    web_url: `${addresses.webUrl}/${path}/labels?q=${encodeURIComponent(name)}`,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
