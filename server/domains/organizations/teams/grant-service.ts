/** Grants of teams on repositories of their organization. */
import type { RepositoryLevel } from "@forgeline/schemas/core/repository-levels.ts";
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import type { Repository } from "@forgeline/schemas/repositories/resource.ts";
import type { Database, Transaction } from "../../../platform/db/database.ts";
import { AppError } from "../../../platform/app-error.ts";
import { recordAudit, type AuditEntry } from "../../operation/domain.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import type { OrganizationService } from "../organizations/service.ts";
import type { Authorizer, GrantedTeam, GrantedRepository } from "../../policy/domain.ts";
import { hasScope } from "../../../platform/access/requirement.ts";
import * as store from "./grant.store.ts";
import type { RepositoryCatalog } from "./repository-catalog.ts";
import { findTeam, findTeams, type TeamRow } from "./teams.store.ts";

export interface TeamGrant {
  /** The team that has the grant: the requested one, or one above it. */
  team: TeamRow;
  repository: Repository;
  permission: RepositoryLevel;
  /** Full name of `team` if it is above the requested one. */
  inheritedFrom: string | null;
}

export interface TeamGrantService {
  /** Grants of the team and the teams above it, for repositories that the actor sees. */
  list(actor: Actor, granted: GrantedTeam, page: PageQuery): Promise<{ grants: TeamGrant[]; total: number }>;
  /**
   * Requires `admin` on the repository; that the actor manages the team is checked before. Throws `not_found`, `forbidden`,
   * `repository_archived`.
   */
  grant(
    actor: Actor,
    granted: GrantedTeam,
    wanted: { repository: string; permission: RepositoryLevel },
  ): Promise<TeamGrant>;
  /** As `grant`, on archived repositories, too. Throws `not_found` also where there is no such grant. */
  revoke(actor: Actor, granted: GrantedTeam, repository: string): Promise<void>;
  /** Removes all grants of teams on a repository that gets another owner. */
  revokeAll(tx: Transaction, repositoryId: string): Promise<void>;
}

interface Deps {
  db: Database;
  authorizer: Pick<Authorizer, "authorizeRepository">;
  organizations: Pick<OrganizationService, "lock">;
  repositoryCatalog: RepositoryCatalog;
}

export function createTeamGrantService(deps: Deps): TeamGrantService {
  const { db, authorizer, organizations } = deps;
  return {
    async list(actor, { organization, team: asked }, page) {
      const mayRead = hasScope(actor, "repo:read");
      const viewer = { userId: mayRead ? actor.userId : null, isAdmin: mayRead && actor.isAdmin };
      const { rows, total } = await store.listGrants(db, { teamId: asked.id, viewer, page });
      const levels = new Map(rows.map((row) => [row.repository_id, row.level]));
      const repositories = await deps.repositoryCatalog.present(actor, levels);
      const teamIds = rows.map((row) => row.team_id);
      const holders = teamIds.length === 0 ? [] : await findTeams(db, teamIds);
      const grants = rows.flatMap(({ repository_id, team_id, team_path, permission }): TeamGrant[] => {
        const team = holders.find(({ id }) => id === team_id);
        const repository = repositories.get(repository_id);
        if (!team || !repository) return [];
        const inheritedFrom = team_id === asked.id ? null : `${organization.name}/${team_path}`;
        return [{ team, repository, permission, inheritedFrom }];
      });
      return { grants, total };
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
      return grantOf(deps, actor, { teamId: team.id, found, permission });
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

async function grantOf(
  { db, repositoryCatalog }: Deps,
  actor: Actor,
  { teamId, found, permission }: { teamId: string; found: GrantedRepository; permission: RepositoryLevel },
): Promise<TeamGrant> {
  const { id } = found.repository;
  const repository = (await repositoryCatalog.present(actor, new Map([[id, found.level]]))).get(id);
  const team = await findTeam(db, teamId);
  if (!team || !repository) throw new AppError("not_found");
  return { team, repository, permission, inheritedFrom: null };
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
