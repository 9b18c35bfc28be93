/** What the links in mails to a team's shared address do: confirm it, or end what is sent there. */
import type { Actor } from "../../../platform/access/actor.ts";
import type { Database, Transaction } from "../../../platform/db/database.ts";
import { recordAudit } from "../../operation/domain.ts";
import { digestOf, type AddressPurpose, type AddressTarget, type AddressTokens } from "./address-tokens.ts";
import { insertAsk } from "./asks.store.ts";
import { removeAll } from "./mails.store.ts";
import { statements } from "./routings.store.ts";

export interface AddressLinks {
  /** What the token would do; undefined for one that does not work. Changes nothing: programs open the addresses in mails. */
  look(token: string): AddressPurpose | undefined;
  /** It is done; undefined also where the team has another address by now. Safe to repeat. */
  follow(actor: Actor, token: string): Promise<AddressPurpose | undefined>;
}

const states = { confirm: "confirmed", end: "unsubscribed" } as const;
const actions = { confirm: "org.team_address_confirm", end: "org.team_address_end" } as const;

export function createAddressLinks({ db, tokens }: { db: Database; tokens: AddressTokens }): AddressLinks {
  return {
    look: (token) => tokens.read(token)?.purpose,
    async follow(actor, token) {
      const target = tokens.read(token);
      return target && db.transaction((tx) => change(tx, actor, target));
    },
  };
}

async function change(
  tx: Transaction,
  actor: Actor,
  { purpose, teamId, digest }: AddressTarget,
): Promise<AddressPurpose | undefined> {
  const row = await tx.one(statements.findAddress, [teamId]);
  if (!row || row.address === null || digestOf(row.address) !== digest) return undefined;
  if (row.address_state === states[purpose]) return purpose;
  await tx.query(statements.setAddressState, [teamId, states[purpose]]);
  if (purpose === "end") {
    await removeAll(tx, teamId);
    // No other team asks there, either.
    await insertAsk(tx, { digest, what: "ended", actorId: null });
  }
  await recordAudit(tx, actor, {
    action: actions[purpose],
    target: { type: "team", id: teamId, name: row.team ?? "" },
    details: { address: row.address },
    organizationId: row.organization_id,
  });
  return purpose;
}
