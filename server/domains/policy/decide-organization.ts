/** Decides about operations on an organization or one of its teams. */
import { forbiddenBut } from "./forbidden-but.ts";
import { AppError } from "../../platform/app-error.ts";
import type { Actor } from "../../platform/access/actor.ts";
import type { OrganizationRef, TeamRef } from "./organization-access.ts";
import {
  hasScope,
  refuseLimitedToken,
  requireScopes,
  type Requirement,
} from "../../platform/access/requirement.ts";

export interface GrantedOrganization {
  organization: OrganizationRef;
  /** null for everyone who is not a member, and for a token without the scope. */
  role: "owner" | "member" | null;
}

export interface GrantedTeam extends GrantedOrganization {
  team: TeamRef;
  teamRole: "maintainer" | "member" | null;
}

/** Refusals that do not depend on the organization's existence, so that they cannot reveal it. */
export function refuseBeforeLookup(actor: Actor, requirement: Requirement): void {
  if (requirement.access === "org_visible") return;
  if (actor.kind === "anonymous") throw new AppError("unauthorized");
  if (actor.kind === "runner" || actor.kind === "job" || actor.kind === "deploy_key")
    throw new AppError("forbidden");
  requireScopes(actor, requirement);
  refuseLimitedToken(actor, requirement);
}

/** To outsiders only the organization itself is visible. Throws `not_found`, `forbidden`. */
export function decideOrganization(
  actor: Actor,
  requirement: Requirement,
  found: GrantedOrganization | undefined,
): GrantedOrganization {
  if (!found) throw new AppError("not_found");
  if (requirement.access === "org_visible") {
    const mayUseRole = hasScope(actor, requirement.scope) && actor.repositoryIds === null;
    return { organization: found.organization, role: mayUseRole ? found.role : null };
  }
  if (found.role === null) throw new AppError("not_found");
  if (requirement.access === "org_owner" && found.role !== "owner")
    throw forbiddenBut("Owners of the organization may.");
  return found;
}

/**
 * A secret team is visible to its members, to maintainers of a team above it, and to owners. Throws `not_found`, `forbidden`.
 */
export function decideTeam(
  requirement: Requirement,
  granted: GrantedOrganization,
  found: { team: TeamRef; role: GrantedTeam["teamRole"] },
): GrantedTeam {
  const isOwner = granted.role === "owner";
  const sees = isOwner || found.role !== null || found.team.visibility === "visible";
  if (!sees) throw new AppError("not_found");
  const team = { ...granted, team: found.team, teamRole: found.role };
  if (requirement.access === "team_manage" && !managesTeam(team)) throw new AppError("forbidden");
  return team;
}

export function managesTeam({ role, teamRole }: Pick<GrantedTeam, "role" | "teamRole">): boolean {
  return role === "owner" || teamRole === "maintainer";
}
