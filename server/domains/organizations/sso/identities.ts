/** Identities of members at an organization's provider: linked by the member, unlinked by the member or an owner. */
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import type { Database, Transaction } from "../../../platform/db/database.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { AppError } from "../../../platform/app-error.ts";
import { newId } from "../../../platform/ids.ts";
import { recordAudit } from "../../operation/domain.ts";
import { userIdOf, type Actor } from "../../../platform/access/actor.ts";
import type { PasskeyService, UserRow, UserService } from "../../accounts/domain.ts";
import type { OrganizationRef } from "../../policy/domain.ts";
import * as store from "./identity.store.ts";
import type { IdentityRow, Subject } from "./identity.store.ts";

export interface LinkedMember {
  row: IdentityRow;
  user: UserRow;
}

export interface SsoIdentityService {
  listOfOrganization(
    organization: OrganizationRef,
    page: PageQuery,
  ): Promise<{ identities: LinkedMember[]; total: number }>;
  listOwn(actor: Actor, page: PageQuery): Promise<{ rows: IdentityRow[]; total: number }>;
  /** Lets the provider sign in the actor, who is a member. Returns the identity's id; throws `conflict`. */
  link(tx: Transaction, actor: Actor, who: Subject & { organization: string }): Promise<string>;
  /** Throws `not_found`. */
  part(actor: Actor, organization: OrganizationRef, id: string): Promise<void>;
  /** Throws `not_found`, and `conflict` if the actor has no other way to sign in. */
  partOwn(actor: Actor, id: string): Promise<void>;
}

export interface SsoIdentityDeps {
  db: Database;
  users: Pick<UserService, "notify" | "findSignInUser" | "getMany">;
  passkeys: Pick<PasskeyService, "list">;
  addresses: Addresses;
}

export function createSsoIdentities(deps: SsoIdentityDeps): SsoIdentityService {
  const { db, users } = deps;

  async function remove(actor: Actor, id: string, whose: Parameters<typeof store.deleteIdentity>[2]) {
    await db.transaction(async (tx) => {
      const row = await store.deleteIdentity(tx, id, whose);
      if (!row) throw new AppError("not_found");
      await recordAudit(tx, actor, {
        action: "org.sso_unlink",
        target: { type: "organization", id: row.organization_id, name: row.organization },
        details: { user_id: row.user_id, username: row.username, issuer: row.issuer, subject: row.subject },
      });
      // Sockets of the ended sessions check again.
      await tx.notify("token", "");
    });
  }

  return {
    async listOfOrganization(organization, page) {
      const { rows, total } = await store.listIdentities(db, { organizationId: organization.id }, page);
      const people = await users.getMany(rows.map((row) => row.user_id));
      const identities = rows.flatMap((row) => {
        const user = people.get(row.user_id);
        return user ? [{ row, user }] : [];
      });
      return { identities, total };
    },
    listOwn: (actor, page) => store.listIdentities(db, { userId: userIdOf(actor) }, page),
    async link(tx, actor, { organization, ...who }) {
      const userId = userIdOf(actor);
      const made = await store.insertIdentity(tx, { ...who, id: newId("idn"), userId });
      if (!made)
        throw new AppError("conflict", {
          message: `Your account is already linked to another identity at the provider of ${organization}, or that identity to another account.`,
        });
      await recordAudit(tx, actor, {
        action: "org.sso_link",
        target: { type: "organization", id: who.organizationId, name: organization },
        details: { user_id: userId, username: actor.username, issuer: who.issuer, subject: who.subject },
      });
      await users.notify(tx, userId, linkedNotice(organization, who.issuer, deps.addresses));
      return made.id;
    },
    part: (actor, organization, id) => remove(actor, id, { organizationId: organization.id }),
    async partOwn(actor, id) {
      const userId = userIdOf(actor);
      const identities = await store.listIdentities(db, { userId }, { page: 1, per_page: 2 });
      const passkeys = await deps.passkeys.list(actor, { page: 1, per_page: 1 });
      const user = await users.findSignInUser(userId);
      const isOnly = user?.passwordHash === null && identities.total < 2 && passkeys.total === 0;
      if (isOnly && identities.rows[0]?.id === id)
        throw new AppError("conflict", {
          message: "You have no other way to sign in: set a password first, using a mail to your address.",
        });
      await remove(actor, id, { userId });
    },
  };
}

function linkedNotice(organization: string, issuer: string, addresses: Addresses) {
  return {
    kind: "sso_linked",
    subject: `The provider of ${organization} can now sign in to your account`,
    paragraphs: [
      `your account was linked to the identity provider of the organization ${organization} (${issuer}).`,
      "The operator of that provider can now sign in as you.",
      `If this was not you, unlink it and change your password: ${addresses.docsUrl}/sso#unlinking`,
    ],
  };
}
