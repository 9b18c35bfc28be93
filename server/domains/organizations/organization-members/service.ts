/** Members of organizations. An organization is never without an owner, even if owners remove each other at the same time. */
import type { MemberQuery } from "@forgeline/schemas/organization-members/resource.ts";
import type { Database, Transaction } from "../../../platform/db/database.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { AppError, invalidField } from "../../../platform/app-error.ts";
import { recordAudit } from "../../operation/domain.ts";
import { userIdOf, type Actor } from "../../../platform/access/actor.ts";
import type { GrantedOrganization, OrganizationRef } from "../../policy/domain.ts";
import type { UserService, UserRow } from "../../accounts/domain.ts";
import { dropInvitation } from "../invitations/invitations.store.ts";
import * as members from "./organization-members.store.ts";
import type { MemberRow, Membership, Role } from "./organization-members.store.ts";
import { recordMemberEvent } from "../organizations/organization-events.ts";
import type { OrganizationService } from "../organizations/service.ts";
import type { TeamMemberService } from "../teams/member-service.ts";
import type { Collaborations } from "./collaborations.ts";

export interface Member {
  user: UserRow;
  row: MemberRow;
}

export interface MemberService {
  list(organization: OrganizationRef, query: MemberQuery): Promise<{ members: Member[]; total: number }>;
  /** Throws `not_found` for a user who is not a member. */
  get(organization: OrganizationRef, username: string): Promise<Member>;
  /** Adds the user, or changes the role. Throws `not_found`, `validation_failed` for a bot, `conflict` for the last owner. */
  set(actor: Actor, organization: OrganizationRef, wanted: { username: string; role: Role }): Promise<Member>;
  isIn(tx: Transaction, membership: Membership): Promise<boolean>;
  /** Adds a user who is not a member yet, in a transaction that has locked the organization. Throws `conflict`. */
  add(tx: Transaction, addition: Addition): Promise<MemberRow>;
  /** Makes the actor a member, if not one already, of an organization that permits it. Throws `not_found`. */
  join(tx: Transaction, actor: Actor, organization: OrganizationRef): Promise<void>;
  /** Oneself, or anybody by an owner. Throws `not_found`, `forbidden`, `conflict` for the last owner. */
  remove(actor: Actor, granted: GrantedOrganization, username: string): Promise<void>;
  /**
   * Makes the actor an owner of each organization whose only active owner is this user. To be called in the transaction that
   * suspends the user. Returns the names of the organizations.
   */
  replaceSoleOwner(tx: Transaction, actor: Actor, userId: string): Promise<string[]>;
}

export interface MemberServiceDeps {
  db: Database;
  organizations: Pick<OrganizationService, "lock">;
  teamMembers: Pick<TeamMemberService, "leaveAll">;
  users: Pick<UserService, "getByName" | "getMany" | "notify">;
  addresses: Addresses;
  collaborations: Pick<Collaborations, "dropFromOrganization">;
}

export function createMemberService(deps: MemberServiceDeps): MemberService {
  const { db, users } = deps;
  return {
    async list(organization, query) {
      const { rows, total } = await members.listMembers(db, organization.id, query);
      const people = await users.getMany(rows.map((row) => row.user_id));
      const listed = rows.flatMap((row) => {
        const user = people.get(row.user_id);
        return user ? [{ user, row }] : [];
      });
      return { members: listed, total };
    },
    async get(organization, username) {
      const user = await users.getByName(username);
      const row = await members.findMember(db, { organizationId: organization.id, userId: user.id });
      if (!row) throw new AppError("not_found");
      return { user, row };
    },
    async set(actor, organization, { username, role }) {
      const user = await users.getByName(username);
      refuseBot(user);
      const row = await db.transaction((tx) => setRole(deps, tx, { actor, organization, user, role }));
      return { user, row };
    },
    isIn: async (tx, membership) => (await members.findMember(tx, membership)) !== undefined,
    add: (tx, addition) => addMember(deps, tx, addition),
    async join(tx, actor, organization) {
      const user = { id: userIdOf(actor), username: actor.username };
      const membership = { organizationId: organization.id, userId: user.id };
      await deps.organizations.lock(tx, organization.id);
      if (await members.findMember(tx, membership)) return;
      await addMember(deps, tx, { actor, organization, user, role: "member" });
    },
    async remove(actor, { organization, role }, username) {
      const user = await users.getByName(username);
      if (role !== "owner" && user.id !== actor.userId) throw new AppError("forbidden");
      await db.transaction((tx) => removeMember(deps, tx, { actor, organization, user }));
    },
    async replaceSoleOwner(tx, actor, userId) {
      const user = { id: userIdOf(actor), username: actor.username };
      const names: string[] = [];
      for (const organization of await members.listOwned(tx, userId)) {
        await deps.organizations.lock(tx, organization.id);
        if (await members.hasOtherOwner(tx, { organizationId: organization.id, userId })) continue;
        await setRole(deps, tx, { actor, organization, user, role: "owner" });
        names.push(organization.name);
      }
      return names;
    },
  };
}

interface Change {
  actor: Actor;
  organization: OrganizationRef;
  user: Pick<UserRow, "id" | "username">;
}

type Addition = Change & { role: Role };

async function setRole(
  deps: MemberServiceDeps,
  tx: Transaction,
  { role, ...change }: Addition,
): Promise<MemberRow> {
  const { organization, user, actor } = change;
  const membership = { organizationId: organization.id, userId: user.id };
  await deps.organizations.lock(tx, organization.id);
  const before = await members.findMember(tx, membership);
  if (!before) return addMember(deps, tx, { ...change, role });
  if (before.role === role) return before;
  if (role === "member") await requireOtherOwner(tx, membership);
  await members.updateRole(tx, { ...membership, role });
  await recordAudit(tx, actor, {
    action: "org.role_change",
    target: { type: "organization", id: organization.id, name: organization.name },
    details: { user_id: user.id, username: user.username, old_role: before.role, new_role: role },
  });
  await recordMemberEvent(tx, actor, { action: "changed", ...membership, role, oldRole: before.role });
  // Open sockets check the permission again.
  await tx.notify("token", "");
  return { ...before, role };
}

async function addMember(
  deps: MemberServiceDeps,
  tx: Transaction,
  { actor, organization, user, role }: Addition,
): Promise<MemberRow> {
  const membership = { organizationId: organization.id, userId: user.id };
  const agreed = user.id === actor.userId || actor.isAdmin;
  const row = await members.insertMember(tx, { ...membership, role, agreed });
  await dropInvitation(tx, membership);
  if (!row) throw new AppError("conflict", { message: "The user is already in the organization." });
  await recordAudit(tx, actor, {
    action: "org.member_add",
    target: { type: "organization", id: organization.id, name: organization.name },
    details: { user_id: user.id, username: user.username, role },
  });
  await recordMemberEvent(tx, actor, { action: "added", ...membership, role });
  if (user.id !== actor.userId)
    await deps.users.notify(tx, user.id, {
      kind: "organization_joined",
      subject: `You are now a member of the organization ${organization.name}`,
      paragraphs: [
        `${actor.username} added you to the organization ${organization.name}.`,
        `If you do not want to be a member, you can leave: ${deps.addresses.docsUrl}/organizations#leaving`,
      ],
    });
  return row;
}

async function removeMember(
  deps: MemberServiceDeps,
  tx: Transaction,
  { actor, organization, user }: Change,
): Promise<void> {
  const membership = { organizationId: organization.id, userId: user.id };
  await deps.organizations.lock(tx, organization.id);
  const removed = await members.deleteMember(tx, membership);
  if (!removed) throw new AppError("not_found");
  if (removed.role === "owner") await requireOtherOwner(tx, membership);
  const dropped = {
    teams: await deps.teamMembers.leaveAll(tx, membership),
    collaborations: await deps.collaborations.dropFromOrganization(tx, membership),
  };
  await recordAudit(tx, actor, {
    action: "org.member_remove",
    target: { type: "organization", id: organization.id, name: organization.name },
    details: { user_id: user.id, username: user.username, role: removed.role, ...dropped },
  });
  await recordMemberEvent(tx, actor, { action: "removed", ...membership, role: removed.role });
  await tx.notify("token", "");
}

async function requireOtherOwner(
  tx: Transaction,
  membership: { organizationId: string; userId: string },
): Promise<void> {
  if (!(await members.hasOtherOwner(tx, membership)))
    throw new AppError("conflict", {
      message: "An organization must have an owner: make another member an owner first.",
    });
}

function refuseBot(user: UserRow): void {
  if (user.type !== "bot") return;
  const message = "Bots are not members; see the organization's bots.";
  throw invalidField("username", "not_allowed", message);
}
