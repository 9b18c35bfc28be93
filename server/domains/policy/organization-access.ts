/** What the permission mechanism asks about organizations and teams: the actor's role there. */
import type { Actor } from "../../platform/access/actor.ts";

export interface OrganizationRef {
  id: string;
  /** As it was created; addresses are compared without case. */
  name: string;
}

export interface TeamRef {
  id: string;
  /** Names from the root down, joined by `/`. */
  path: string;
  visibility: "visible" | "secret";
}

export interface FoundOrganization {
  organization: OrganizationRef;
  /** null for non-members. */
  role: "owner" | "member" | null;
  /** Whether the actor may create repositories there. */
  createsRepositories: boolean;
}

export interface OrganizationAccess {
  /** Undefined when there is no such organization. */
  find(name: string, actor: Actor): Promise<FoundOrganization | undefined>;
  /**
   * Undefined when there is no such team. `role` is that of the actor's user in the team itself or, where greater, in a
   * team above it: a maintainer of a team maintains the teams nested in it. null for somebody who is in neither.
   */
  findTeam(
    organizationId: string,
    path: string,
    actor: Actor,
  ): Promise<{ team: TeamRef; role: "maintainer" | "member" | null } | undefined>;
}
