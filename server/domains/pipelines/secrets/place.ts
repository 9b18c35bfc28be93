/** What secrets belong to: an environment, a repository, an organization or the instance. */
import type { Queryable } from "../../../platform/db/database.ts";
import { environmentIdOf, type EnvironmentOwner } from "../environments/owner.ts";
import type { AuditEntry } from "../../operation/domain.ts";
import type { OrganizationRef, RepositoryRef } from "../../policy/domain.ts";
import type { SecretPaths } from "./present.ts";
import type { SecretPlace } from "./secrets.store.ts";

export type SecretOwner =
  | EnvironmentOwner
  | { repository: RepositoryRef }
  | { organization: OrganizationRef }
  | "instance";

/** Throws `not_found` for an environment that does not exist. */
export async function placeOf(db: Queryable, owner: SecretOwner): Promise<SecretPlace> {
  const nowhere = { repositoryId: null, organizationId: null, environmentId: null };
  if (owner === "instance") return nowhere;
  if ("environment" in owner) return { ...nowhere, environmentId: await environmentIdOf(db, owner) };
  return "repository" in owner
    ? { ...nowhere, repositoryId: owner.repository.id }
    : { ...nowhere, organizationId: owner.organization.id };
}

export function pathsOf(owner: SecretOwner): SecretPaths {
  if (owner === "instance") return { api: "admin", web: "-/admin/secrets" };
  if ("organization" in owner) {
    const name = encodeURIComponent(owner.organization.name);
    return { api: `orgs/${name}`, web: `orgs/${name}/secrets` };
  }
  const name = [owner.repository.owner, owner.repository.name].map(encodeURIComponent).join("/");
  if ("environment" in owner) {
    const place = `${name}/environments/${owner.environment}`;
    return { api: `repos/${place}`, web: `${place}/secrets` };
  }
  return { api: `repos/${name}`, web: `${name}/settings/secrets` };
}

export function targetOf(owner: SecretOwner): AuditEntry["target"] {
  if (owner === "instance") return { type: "instance", id: "instance", name: "instance" };
  if ("organization" in owner)
    return { type: "organization", id: owner.organization.id, name: owner.organization.name };
  const { id, owner: ownerName, name } = owner.repository;
  return { type: "repository", id, name: `${ownerName}/${name}` };
}

/** For entries of the audit log, beside the repository. */
export function environmentOf(owner: SecretOwner): { environment?: string } {
  return owner !== "instance" && "environment" in owner ? { environment: owner.environment } : {};
}
