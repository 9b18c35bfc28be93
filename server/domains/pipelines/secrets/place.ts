/** What secrets belong to: a repository, an organization or the instance. */
import type { AuditEntry } from "../../operation/domain.ts";
import type { OrganizationRef, RepositoryRef } from "../../policy/domain.ts";
import type { SecretPaths } from "./present.ts";
import type { SecretPlace } from "./secrets.store.ts";

export type SecretOwner = { repository: RepositoryRef } | { organization: OrganizationRef } | "instance";

export function placeOf(owner: SecretOwner): SecretPlace {
  if (owner === "instance") return { repositoryId: null, organizationId: null };
  return "repository" in owner
    ? { repositoryId: owner.repository.id, organizationId: null }
    : { repositoryId: null, organizationId: owner.organization.id };
}

export function pathsOf(owner: SecretOwner): SecretPaths {
  if (owner === "instance") return { api: "admin", web: "-/admin/secrets" };
  if ("organization" in owner) {
    const name = encodeURIComponent(owner.organization.name);
    return { api: `orgs/${name}`, web: `orgs/${name}/secrets` };
  }
  const name = [owner.repository.owner, owner.repository.name].map(encodeURIComponent).join("/");
  return { api: `repos/${name}`, web: `${name}/settings/secrets` };
}

export function targetOf(owner: SecretOwner): AuditEntry["target"] {
  if (owner === "instance") return { type: "instance", id: "instance", name: "instance" };
  if ("organization" in owner)
    return { type: "organization", id: owner.organization.id, name: owner.organization.name };
  const { id, owner: ownerName, name } = owner.repository;
  return { type: "repository", id, name: `${ownerName}/${name}` };
}
