/** What variables belong to: a repository, an organization, or the instance. */
import type { SetLevel } from "@forgeline/schemas/variables/resource.ts";
import type { AuditEntry } from "../../operation/domain.ts";
import type { OrganizationRef, RepositoryRef } from "../../policy/domain.ts";

export type VariableOwner =
  | { repository: RepositoryRef }
  | { organization: OrganizationRef }
  | { instance: true };

/** As it is stored. */
export interface VariablePlace {
  level: SetLevel;
  organizationId: string | null;
  repositoryId: string | null;
}

export function placeOf(owner: VariableOwner): VariablePlace {
  const { organizationId, repositoryId } = { organizationId: null, repositoryId: null };
  if ("repository" in owner)
    return { level: "repository", organizationId, repositoryId: owner.repository.id };
  if ("organization" in owner)
    return { level: "organization", organizationId: owner.organization.id, repositoryId };
  return { level: "instance", organizationId, repositoryId };
}

export function targetOfOwner(owner: VariableOwner): AuditEntry["target"] {
  if ("repository" in owner) {
    const { id, owner: ownerName, name } = owner.repository;
    return { type: "repository", id, name: `${ownerName}/${name}` };
  }
  if ("organization" in owner)
    return { type: "organization", id: owner.organization.id, name: owner.organization.name };
  return { type: "instance", id: "", name: "instance" };
}
