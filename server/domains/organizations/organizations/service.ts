/** Creates, changes and deletes organizations. Permissions are checked before, by the one permission mechanism. */
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import type { OrganizationCreate, OrganizationUpdate } from "@forgeline/schemas/organizations/resource.ts";
import type { Database, Transaction } from "../../../platform/db/database.ts";
import { AppError, invalidField } from "../../../platform/app-error.ts";
import { newId } from "../../../platform/ids.ts";
import { recordAudit } from "../../operation/domain.ts";
import { userIdOf, type Actor } from "../../../platform/access/actor.ts";
import type { OrganizationRef } from "../../policy/domain.ts";
import { isReservedOwnerName, type BotUserService, type OwnerService } from "../../accounts/domain.ts";
import { retireBots } from "../bots/retire-bots.ts";
import type { Collaborations } from "../organization-members/collaborations.ts";
import { insertMember } from "../organization-members/organization-members.store.ts";
import * as store from "./organizations.store.ts";
import type { OrganizationRow, OwnOrganizationRow } from "./organizations.store.ts";

export interface OrganizationService {
  /** Throws `not_found`. */
  get(id: string): Promise<OrganizationRow>;
  /** Without regard to case. Throws `not_found`. */
  getByName(name: string): Promise<OrganizationRow>;
  /** The actor becomes its owner. Throws `validation_failed`, `conflict` for a name that is taken. */
  create(actor: Actor, wanted: OrganizationCreate): Promise<OrganizationRow>;
  update(actor: Actor, organization: OrganizationRef, change: OrganizationUpdate): Promise<OrganizationRow>;
  /** Throws `conflict` while it has repositories. */
  remove(actor: Actor, organization: OrganizationRef): Promise<void>;
  /** Locks it until the commit, for changes of its members or teams. Throws `not_found`. */
  lock(tx: Transaction, id: string): Promise<void>;
  /** Organizations of the actor's user. */
  listOwn(actor: Actor, page: PageQuery): Promise<{ rows: OwnOrganizationRow[]; total: number }>;
}

export interface OrganizationServiceDeps {
  db: Database;
  owners: Pick<OwnerService, "add" | "removeOrganization">;
  botUsers: Pick<BotUserService, "retire">;
  collaborations: Pick<Collaborations, "dropUsers">;
}

export function createOrganizationService(deps: OrganizationServiceDeps): OrganizationService {
  const { db, owners, botUsers, collaborations } = deps;

  async function get(id: string, from: Database | Transaction = db): Promise<OrganizationRow> {
    const row = await store.findOrganization(from, id);
    if (!row) throw new AppError("not_found");
    return row;
  }

  async function lock(tx: Transaction, id: string): Promise<void> {
    if (!(await store.lockOrganization(tx, id))) throw new AppError("not_found");
  }

  return {
    lock,
    get: (id) => get(id),
    async getByName(name) {
      const row = await store.findOrganizationByName(db, name);
      if (!row) throw new AppError("not_found");
      return row;
    },
    async create(actor, wanted) {
      refuseReserved(wanted.name);
      const id = newId("org");
      const { name, display_name: displayName, description } = wanted;
      return db.transaction(async (tx) => {
        if (!(await owners.add(tx, { id, name, kind: "org" })))
          throw new AppError("conflict", { message: "The name is taken." });
        await store.insertOrganization(tx, { id, displayName, description });
        await insertMember(tx, { organizationId: id, userId: userIdOf(actor), role: "owner", agreed: true });
        await recordAudit(tx, actor, {
          action: "org.create",
          target: { type: "organization", id, name },
        });
        return get(id, tx);
      });
    },
    update: (actor, organization, change) =>
      db.transaction(async (tx) => {
        await store.updateOrganization(tx, organization.id, change);
        await recordAudit(tx, actor, {
          action: "org.settings_change",
          target: { type: "organization", id: organization.id, name: organization.name },
          details: { ...change },
        });
        return get(organization.id, tx);
      }),
    async remove(actor, organization) {
      await db.transaction(async (tx) => {
        await lock(tx, organization.id);
        if (await store.hasRepositories(tx, organization.id))
          throw new AppError("conflict", {
            message: "The organization still has repositories: delete or transfer them first.",
          });
        await retireBots(tx, { organizationId: organization.id, botUsers, collaborations });
        // With its members, invitations, teams and their grants.
        await owners.removeOrganization(tx, organization.id);
        await recordAudit(tx, actor, {
          action: "org.delete",
          target: { type: "organization", id: organization.id, name: organization.name },
          organizationId: organization.id,
        });
        await tx.notify("token", "");
      });
    },
    listOwn: (actor, page) => store.listOfUser(db, userIdOf(actor), page),
  };
}

function refuseReserved(name: string): void {
  if (!isReservedOwnerName(name)) return;
  const message = "This organization name is not allowed.";
  throw invalidField("name", "not_allowed", message);
}
