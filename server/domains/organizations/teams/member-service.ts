/** Members of teams: members and bots of the organization. */
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import type { TeamRole } from "@forgeline/schemas/teams/resource.ts";
import type { Database, Transaction } from "../../../platform/db/database.ts";
import { AppError, invalidField } from "../../../platform/app-error.ts";
import { recordAudit } from "../../operation/domain.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import type { OrganizationService } from "../organizations/service.ts";
import { managesTeam, type GrantedTeam } from "../../policy/domain.ts";
import type { UserService, UserRow } from "../../accounts/domain.ts";
import * as store from "./member.store.ts";
import type { TeamMemberRow } from "./member.store.ts";
import { target } from "./service.ts";

export interface TeamMember {
  user: UserRow;
  row: TeamMemberRow;
}

export interface TeamMemberService {
  /** Direct members, and those of nested teams that the actor sees. */
  list(
    actor: Actor,
    granted: GrantedTeam,
    page: PageQuery,
  ): Promise<{ members: TeamMember[]; total: number }>;
  /** Throws `not_found` for a user who does not exist, `validation_failed` for one who is not in the organization. */
  set(actor: Actor, granted: GrantedTeam, wanted: { username: string; role: TeamRole }): Promise<TeamMember>;
  /** Anybody may leave; those who manage the team may remove anybody. Throws `forbidden`, `not_found` for a user who is not a direct member. */
  remove(actor: Actor, granted: GrantedTeam, username: string): Promise<void>;
  /** Removes a user who leaves the organization from all of its teams. Returns from how many. */
  leaveAll(tx: Transaction, membership: { organizationId: string; userId: string }): Promise<number>;
}

interface Deps {
  db: Database;
  users: Pick<UserService, "getByName" | "getMany">;
  organizations: Pick<OrganizationService, "lock">;
}

export function createTeamMemberService({ db, users, organizations }: Deps): TeamMemberService {
  return {
    async list(actor, { team, role }, page) {
      const viewer = { userId: actor.userId, isOwner: role === "owner" };
      const { rows, total } = await store.listMembers(db, { teamId: team.id, viewer, page });
      const people = await users.getMany(rows.map((row) => row.user_id));
      const members = rows.flatMap((row) => {
        const user = people.get(row.user_id);
        return user ? [{ user, row }] : [];
      });
      return { members, total };
    },
    async set(actor, granted, { username, role }) {
      const user = await users.getByName(username);
      const row = await db.transaction(async (tx) => {
        await organizations.lock(tx, granted.organization.id);
        return put(tx, actor, { ...granted, user, wanted: role });
      });
      return { user, row };
    },
    async remove(actor, granted, username) {
      const user = await users.getByName(username);
      if (user.id !== actor.userId && !managesTeam(granted)) throw new AppError("forbidden");
      await db.transaction(async (tx) => {
        const { team, organization } = granted;
        if (!(await store.deleteMember(tx, { teamId: team.id, userId: user.id })))
          throw new AppError("not_found");
        await recordAudit(tx, actor, {
          action: "org.team_member_remove",
          target: target(organization, team),
          details: { user_id: user.id, username: user.username },
        });
        await tx.notify("token", "");
      });
    },
    leaveAll: store.leaveTeams,
  };
}

async function put(
  tx: Transaction,
  actor: Actor,
  { organization, team, user, wanted }: GrantedTeam & { user: UserRow; wanted: TeamRole },
): Promise<TeamMemberRow> {
  const membership = { teamId: team.id, userId: user.id };
  if (!(await store.belongsTo(tx, { organizationId: organization.id, userId: user.id }))) {
    const message = "Only members and bots of the organization can be in its teams.";
    throw invalidField("username", "not_allowed", message);
  }
  const before = await store.roleOf(tx, membership);
  const row = await store.putMember(tx, { ...membership, role: wanted });
  if (before === wanted) return row;
  const details = { user_id: user.id, username: user.username };
  await recordAudit(tx, actor, {
    action: before === undefined ? "org.team_member_add" : "org.team_role_change",
    target: target(organization, team),
    details:
      before === undefined
        ? { ...details, role: wanted }
        : { ...details, old_role: before, new_role: wanted },
  });
  return row;
}
