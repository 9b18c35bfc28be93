/** What teams may do with repositories of their organization. */
import type { RepositoryLevel } from "@forgeline/schemas/core/repository-levels.ts";
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import type { Database, Transaction } from "../../../platform/db/database.ts";
import { AppError } from "../../../platform/app-error.ts";
import { recordAudit, type AuditEntry } from "../../operation/domain.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import type { OrganizationService } from "../organizations/service.ts";
import type { Authorizer, GrantedTeam, GrantedRepository } from "../../policy/domain.ts";
import { hasScope } from "../../../platform/access/requirement.ts";
import * as store from "./grant.store.ts";
import type { GrantRow } from "./grant.store.ts";

export interface TeamGrantService {
  /** Of the team and the teams above it, for repositories that the actor sees. */
  list(actor: Actor, granted: GrantedTeam, page: PageQuery): Promise<{ rows: GrantRow[]; total: number }>;
  /**
   * For those with `admin` on the repository; that the actor manages the team is checked before. Throws `not_found`,
   * `forbidden`, `repository_archived`.
   */
  grant(
    actor: Actor,
    granted: GrantedTeam,
    wanted: { repository: string; permission: RepositoryLevel },
  ): Promise<GrantedRepository>;
  /** As `grant`, on archived repositories, too. Throws `not_found` also where there is no such grant. */
  revoke(actor: Actor, granted: GrantedTeam, repository: string): Promise<void>;
  /** What teams were granted on a repository, for one that gets another owner. */
  revokeAll(tx: Transaction, repositoryId: string): Promise<void>;
}

interface Deps {
  db: Database;
  authorizer: Pick<Authorizer, "authorizeRepository">;
  organizations: Pick<OrganizationService, "lock">;
}

export function createTeamGrantService({ db, authorizer, organizations }: Deps): TeamGrantService {
  return {
    list(actor, { team }, page) {
      const mayRead = hasScope(actor, "repo:read");
      const viewer = { userId: mayRead ? actor.userId : null, isAdmin: mayRead && actor.isAdmin };
      return store.listGrants(db, { teamId: team.id, viewer, page });
    },
    async grant(actor, granted, { repository: name, permission }) {
      const { organization, team } = granted;
      const address = { owner: organization.name, name };
      const found = await authorizer.authorizeRepository(actor, { access: "repo_admin" }, address);
      const grant = { teamId: team.id, repositoryId: found.repository.id };
      await db.transaction(async (tx) => {
        await organizations.lock(tx, organization.id);
        const held = { repositoryId: grant.repositoryId, organizationId: organization.id };
        if (!(await store.holdRepository(tx, held))) throw new AppError("not_found");
        const before = await store.findGrant(tx, grant);
        if (before === permission) return;
        await store.putGrant(tx, { ...grant, permission });
        await recordAudit(tx, actor, granting(granted, found, { before, permission }));
        await tx.notify("token", "");
      });
      return found;
    },
    async revoke(actor, granted, name) {
      const { organization, team } = granted;
      const requirement = { access: "repo_admin", archived: "allowed" } as const;
      const found = await authorizer.authorizeRepository(actor, requirement, {
        owner: organization.name,
        name,
      });
      const grant = { teamId: team.id, repositoryId: found.repository.id };
      await db.transaction(async (tx) => {
        const before = await store.findGrant(tx, grant);
        if (!before) throw new AppError("not_found");
        await store.deleteGrant(tx, grant);
        await recordAudit(tx, actor, {
          action: "access.team_repo_remove",
          target: repositoryTarget(found),
          details: { ...teamDetails(granted), permission: before },
        });
        await tx.notify("token", "");
      });
    },
    revokeAll: store.endTeamGrants,
  };
}

function granting(
  granted: GrantedTeam,
  found: GrantedRepository,
  { before, permission }: { before: RepositoryLevel | undefined; permission: RepositoryLevel },
): AuditEntry {
  const target = repositoryTarget(found);
  const team = teamDetails(granted);
  if (before === undefined)
    return { action: "access.team_repo_add", target, details: { ...team, permission } };
  const details = { ...team, old_permission: before, new_permission: permission };
  return { action: "access.permission_change", target, details };
}

function repositoryTarget({ repository }: GrantedRepository): AuditEntry["target"] {
  return { type: "repository", id: repository.id, name: `${repository.owner}/${repository.name}` };
}

function teamDetails({ organization, team }: GrantedTeam) {
  return { team_id: team.id, team: `${organization.name}/${team.path}` };
}
