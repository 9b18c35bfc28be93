/** Invitations: an owner invites, the user accepts or declines. */
import type { AuditAction } from "@forgeline/schemas/audit/actions.ts";
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import type { InvitationCreate } from "@forgeline/schemas/invitations/resource.ts";
import type { Database, Transaction } from "../../../platform/db/database.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { AppError, invalidField } from "../../../platform/app-error.ts";
import { newId } from "../../../platform/ids.ts";
import { recordAudit } from "../../operation/domain.ts";
import { userIdOf, type Actor } from "../../../platform/access/actor.ts";
import type { OrganizationRef } from "../../policy/domain.ts";
import type { UserService, UserRow } from "../../accounts/domain.ts";
import * as store from "./invitations.store.ts";
import type { InvitationRow } from "./invitations.store.ts";
import type { MemberService } from "../organization-members/service.ts";
import type { OrganizationRow } from "../organizations/organizations.store.ts";
import type { OrganizationService } from "../organizations/service.ts";

type Listed = Promise<{ rows: InvitationRow[]; total: number }>;

export interface InvitationService {
  list(organization: OrganizationRef, page: PageQuery): Listed;
  /** Throws `not_found`. */
  get(organization: OrganizationRef, id: string): Promise<InvitationRow>;
  /** Throws `validation_failed` if the name is not a person's, `conflict` if the user is a member or already invited. */
  create(actor: Actor, organization: OrganizationRef, wanted: InvitationCreate): Promise<InvitationRow>;
  /** Throws `not_found`. */
  revoke(actor: Actor, organization: OrganizationRef, id: string): Promise<void>;
  listOwn(actor: Actor, page: PageQuery): Listed;
  /** Throws `not_found` for somebody else's. */
  getOwn(actor: Actor, id: string): Promise<InvitationRow>;
  /** Returns the organization. Throws `not_found`. */
  accept(actor: Actor, id: string): Promise<OrganizationRow>;
  /** Throws `not_found`. */
  decline(actor: Actor, id: string): Promise<void>;
}

export interface InvitationServiceDeps {
  db: Database;
  members: Pick<MemberService, "isIn" | "add">;
  users: Pick<UserService, "get" | "getByName" | "notify">;
  organizations: Pick<OrganizationService, "get" | "lock">;
  addresses: Addresses;
}

export function createInvitationService(deps: InvitationServiceDeps): InvitationService {
  const { db } = deps;

  async function find(whose: store.InvitationFilter, id: string): Promise<InvitationRow> {
    const row = await store.findInvitation(db, whose, id);
    if (!row) throw new AppError("not_found");
    return row;
  }

  async function end(actor: Actor, row: InvitationRow, action: AuditAction): Promise<void> {
    await db.transaction(async (tx) => {
      if (!(await store.deleteInvitation(tx, row.id))) throw new AppError("not_found");
      await recordAudit(tx, actor, {
        action,
        target: { type: "organization", id: row.organization_id, name: row.organization },
        details: { user_id: row.user_id, username: row.username, role: row.role },
      });
    });
  }

  return {
    list: (organization, page) => store.listInvitations(db, { organizationId: organization.id }, page),
    get: (organization, id) => find({ organizationId: organization.id }, id),
    async create(actor, organization, { username, role }) {
      const user = await invitable(deps, username);
      const id = await db.transaction((tx) => invite(deps, tx, { actor, organization, user, role }));
      return find({ organizationId: organization.id }, id);
    },
    async revoke(actor, organization, id) {
      await end(actor, await find({ organizationId: organization.id }, id), "org.invitation_revoke");
    },
    listOwn: (actor, page) => store.listInvitations(db, { userId: userIdOf(actor) }, page),
    getOwn: (actor, id) => find({ userId: userIdOf(actor) }, id),
    async accept(actor, id) {
      const row = await find({ userId: userIdOf(actor) }, id);
      const user = await deps.users.get(row.user_id);
      const organization = { id: row.organization_id, name: row.organization };
      await db.transaction(async (tx) => {
        await deps.organizations.lock(tx, organization.id);
        if (!(await store.deleteInvitation(tx, id))) throw new AppError("not_found");
        await deps.members.add(tx, { actor, organization, user, role: row.role });
      });
      return deps.organizations.get(organization.id);
    },
    async decline(actor, id) {
      await end(actor, await find({ userId: userIdOf(actor) }, id), "org.invitation_decline");
    },
  };
}

async function invitable(deps: InvitationServiceDeps, username: string): Promise<UserRow> {
  const user = await deps.users.getByName(username).catch((error: unknown) => {
    if (error instanceof AppError && error.code === "not_found") return undefined;
    throw error;
  });
  if (user?.type === "user") return user;
  const message = "No user has this name.";
  throw invalidField("username", "unknown", message);
}

async function invite(
  deps: InvitationServiceDeps,
  tx: Transaction,
  wanted: { actor: Actor; organization: OrganizationRef; user: UserRow; role: "owner" | "member" },
): Promise<string> {
  const { actor, organization, user, role } = wanted;
  const whose = { organizationId: organization.id, userId: user.id };
  await deps.organizations.lock(tx, organization.id);
  if (await deps.members.isIn(tx, whose))
    throw new AppError("conflict", { message: "The user is already in the organization." });
  const id = newId("inv");
  if (!(await store.insertInvitation(tx, { ...whose, id, role, invitedBy: actor.userId })))
    throw new AppError("conflict", { message: "The user has already been invited." });
  await recordAudit(tx, actor, {
    action: "org.invitation_create",
    target: { type: "organization", id: organization.id, name: organization.name },
    details: { user_id: user.id, username: user.username, role },
  });
  await deps.users.notify(tx, user.id, {
    kind: "organization_invitation",
    subject: `You are invited to the organization ${organization.name}`,
    paragraphs: [
      `${actor.username} invites you to the organization ${organization.name}.`,
      `You can accept or decline within 7 days: ${deps.addresses.docsUrl}/organizations#invitations`,
    ],
  });
  return id;
}
