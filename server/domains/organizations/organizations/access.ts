/** A user's roles in an organization and its teams, as the permission mechanism asks for them. */
import type { Queryable } from "../../../platform/db/database.ts";
import { isStorable } from "../../../platform/storable-text.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import type { FoundOrganization, OrganizationAccess } from "../../policy/domain.ts";
import { findOrganization, findTeam, type OrganizationRow } from "./access.store.ts";

export function createOrganizationAccess(db: Queryable): OrganizationAccess {
  return {
    async find(name, actor) {
      if (!isStorable(name)) return undefined;
      const row = await findOrganization(db, name, actor);
      return row && toFound(row, actor);
    },
    async findTeam(organizationId, path, actor) {
      if (!isStorable(path)) return undefined;
      const row = await findTeam(db, { organizationId, path, userId: actor.userId });
      return row && { team: { id: row.id, path: row.path, visibility: row.visibility }, role: row.role };
    },
  };
}

/** Bots create no repositories. */
function toFound(row: OrganizationRow, actor: Actor): FoundOrganization {
  const mayAsMember = row.role === "member" && row.members_can_create_repositories;
  return {
    organization: { id: row.id, name: row.name },
    role: row.role,
    createsRepositories: actor.kind !== "bot" && (row.role === "owner" || mayAsMember),
  };
}
