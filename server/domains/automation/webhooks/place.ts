/** What webhooks belong to: a repository or an organization. */
import type { AuditEntry } from "../../operation/domain.ts";
import type { OrganizationRef, RepositoryRef } from "../../policy/domain.ts";
import type { HookPaths } from "./present.ts";
import type { HookPlace } from "./webhooks.store.ts";

export type HookOwner = { repository: RepositoryRef } | { organization: OrganizationRef };

export function placeOf(owner: HookOwner): HookPlace {
  return "repository" in owner
    ? { repositoryId: owner.repository.id, organizationId: null }
    : { repositoryId: null, organizationId: owner.organization.id };
}

export function pathsOf(owner: HookOwner): HookPaths {
  if ("organization" in owner) {
    const name = encodeURIComponent(owner.organization.name);
    return { api: `orgs/${name}`, web: `orgs/${name}/webhooks` };
  }
  const name = [owner.repository.owner, owner.repository.name].map(encodeURIComponent).join("/");
  return { api: `repos/${name}`, web: `${name}/settings/webhooks` };
}

export function targetOfOwner(owner: HookOwner): AuditEntry["target"] {
  if ("organization" in owner)
    return { type: "organization", id: owner.organization.id, name: owner.organization.name };
  const { id, owner: ownerName, name } = owner.repository;
  return { type: "repository", id, name: `${ownerName}/${name}` };
}
