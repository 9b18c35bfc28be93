/** Whose jobs a runner takes: those of the instance, of an organization, or of one repository. */
import type { OrganizationRef, RepositoryRef } from "../../policy/domain.ts";

/** Null: of the instance. */
export type RunnerScope = { repository: RepositoryRef } | { organization: OrganizationRef } | null;

/** At most one is given. */
export interface ScopeIds {
  repositoryId: string | null;
  organizationId: string | null;
}

/** The same by ids, as rows have it. */
export function scopeIds(scope: RunnerScope): ScopeIds {
  return {
    repositoryId: scope && "repository" in scope ? scope.repository.id : null,
    organizationId: scope && "organization" in scope ? scope.organization.id : null,
  };
}

/** For the audit log. */
export function scopeName(scope: RunnerScope): string {
  if (scope === null) return "instance";
  return "repository" in scope ? scope.repository.name : scope.organization.name;
}
