/** Bots of organizations. They act with their own tokens and never count as people: no seat, no password, no ownership. */
import type { BotCreate, BotUpdate } from "@forgeline/schemas/bots/resource.ts";
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import type { Database } from "../../../platform/db/database.ts";
import { AppError } from "../../../platform/app-error.ts";
import { newId } from "../../../platform/ids.ts";
import { recordAudit } from "../../operation/domain.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import type { OrganizationRef } from "../../policy/domain.ts";
import { requireScopesOf, type BotUserService } from "../../accounts/domain.ts";
import type { Collaborations } from "../organization-members/collaborations.ts";
import * as store from "./bots.store.ts";
import type { BotRow } from "./bots.store.ts";
import { retireBots } from "./retire-bots.ts";
import type { OrganizationService } from "../organizations/service.ts";

export interface BotService {
  list(organization: OrganizationRef, page: PageQuery): Promise<{ rows: BotRow[]; total: number }>;
  /** Throws `not_found`. */
  get(organization: OrganizationRef, name: string): Promise<BotRow>;
  /** Throws `insufficient_scope` for more than the caller's token has, `conflict` for a name in use. */
  create(actor: Actor, organization: OrganizationRef, wanted: BotCreate): Promise<BotRow>;
  /** Throws `not_found`, and `insufficient_scope` as `create`. */
  update(
    actor: Actor,
    bot: { organization: OrganizationRef; name: string },
    change: BotUpdate,
  ): Promise<BotRow>;
  /** Throws `not_found`. */
  remove(actor: Actor, organization: OrganizationRef, name: string): Promise<void>;
}

export interface BotServiceDeps {
  db: Database;
  organizations: Pick<OrganizationService, "lock">;
  botUsers: BotUserService;
  collaborations: Pick<Collaborations, "dropUsers">;
}

export function createBotService(deps: BotServiceDeps): BotService {
  const { db, organizations, botUsers, collaborations } = deps;

  async function get(organization: OrganizationRef, name: string): Promise<BotRow> {
    const row = await store.findBot(db, organization.id, name);
    if (!row) throw new AppError("not_found");
    return row;
  }

  return {
    get,
    list: (organization, page) => store.listBots(db, organization.id, page),
    async create(actor, organization, { name, display_name: displayName, scopes }) {
      requireScopesOf(actor.scopes, scopes);
      const username = `${organization.name}/${name}`;
      const bot = { id: newId("usr"), organizationId: organization.id, username, name, displayName };
      await db.transaction(async (tx) => {
        await organizations.lock(tx, organization.id);
        if (!(await botUsers.create(tx, bot)))
          throw new AppError("conflict", { message: "A bot with this name already exists." });
        await store.insertBot(tx, { ...bot, scopes: [...new Set(scopes)] });
        await recordAudit(tx, actor, entry("org.bot_create", organization, { ...bot, scopes }));
      });
      return get(organization, name);
    },
    async update(actor, { organization, name }, { display_name: displayName, scopes }) {
      requireScopesOf(actor.scopes, scopes ?? []);
      const bot = await get(organization, name);
      await db.transaction(async (tx) => {
        const wanted = scopes && [...new Set(scopes)];
        await botUsers.update(tx, bot.id, { displayName });
        if (wanted) await store.setScopes(tx, bot.id, wanted);
        const changed = { ...bot, scopes: wanted ?? bot.scopes };
        await recordAudit(tx, actor, entry("org.bot_update", organization, changed));
        await tx.notify("token", "");
      });
      return get(organization, name);
    },
    async remove(actor, organization, name) {
      const bot = await get(organization, name);
      await db.transaction(async (tx) => {
        const gone = await retireBots(tx, {
          organizationId: organization.id,
          id: bot.id,
          botUsers,
          collaborations,
        });
        if (gone === 0) throw new AppError("not_found");
        await recordAudit(tx, actor, entry("org.bot_delete", organization, bot));
        await tx.notify("token", "");
      });
    },
  };
}

function entry(
  action: "org.bot_create" | "org.bot_update" | "org.bot_delete",
  organization: OrganizationRef,
  bot: { id: string; username: string; scopes: readonly string[] },
) {
  return {
    action,
    target: { type: "organization", id: organization.id, name: organization.name },
    details: { bot_id: bot.id, bot: bot.username, scopes: bot.scopes },
  };
}
