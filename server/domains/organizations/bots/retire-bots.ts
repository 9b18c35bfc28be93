/** Retires one or all bots of an organization: their credentials stop working, and their names can be taken again. */
import type { Transaction } from "../../../platform/db/database.ts";
import type { BotUserService } from "../../accounts/domain.ts";
import type { Collaborations } from "../organization-members/collaborations.ts";
import { dropUsers } from "../teams/member.store.ts";
import { deleteBots } from "./bots.store.ts";

export interface Retirement {
  organizationId: string;
  /** All of the organization without one. */
  id?: string;
  botUsers: Pick<BotUserService, "retire">;
  collaborations: Pick<Collaborations, "dropUsers">;
}

/** Returns how many were retired. */
export async function retireBots(tx: Transaction, retirement: Retirement): Promise<number> {
  const { organizationId, id, botUsers, collaborations } = retirement;
  const ids = await botUsers.retire(tx, { organizationId, id });
  await dropUsers(tx, ids);
  await collaborations.dropUsers(tx, ids);
  await deleteBots(tx, ids);
  return ids.length;
}
