/** What variables belong to: an environment, a repository, an organization, or the instance. */
import type { SetLevel } from "@forgeline/schemas/variables/resource.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import { environmentIdOf, type EnvironmentOwner } from "../environments/owner.ts";
import type { AuditEntry } from "../../operation/domain.ts";
import type { OrganizationRef, RepositoryRef } from "../../policy/domain.ts";

export type VariableOwner =
  | EnvironmentOwner
  | { repository: RepositoryRef }
  | { organization: OrganizationRef }
  | { instance: true };

/** As it is stored. */
export interface VariablePlace {
  level: SetLevel;
  organizationId: string | null;
  repositoryId: string | null;
  environmentId: string | null;
}

/** Throws `not_found` for an environment that does not exist. */
export async function placeOf(db: Queryable, owner: VariableOwner): Promise<VariablePlace> {
  const nowhere = { organizationId: null, repositoryId: null, environmentId: null };
  if ("environment" in owner)
    return { ...nowhere, level: "environment", environmentId: await environmentIdOf(db, owner) };
  if ("repository" in owner) return { ...nowhere, level: "repository", repositoryId: owner.repository.id };
  if ("organization" in owner)
    return { ...nowhere, level: "organization", organizationId: owner.organization.id };
  return { ...nowhere, level: "instance" };
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

/** For entries of the audit log, beside the repository. */
export function environmentOfOwner(owner: VariableOwner): { environment?: string } {
  return "environment" in owner ? { environment: owner.environment } : {};
}
