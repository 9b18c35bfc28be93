/** What the links in mails to a team's shared address do: confirm it, or end what is sent there. */
import type { AuditAction } from "@forgeline/schemas/audit/actions.ts";
import { systemActor, type Actor } from "../../../platform/access/actor.ts";
import { isSameSecret } from "../../../platform/credentials/is-same-secret.ts";
import type { Database, Transaction } from "../../../platform/db/database.ts";
import { recordAudit } from "../../operation/domain.ts";
import { digestOf, type AddressPurpose, type AddressTarget, type AddressTokens } from "./address-tokens.ts";
import { insertAsk } from "./asks.store.ts";
import { removeAll } from "./mails.store.ts";
import { statements, type AddressRow } from "./routings.store.ts";

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
  if (!row || row.address === null) return undefined;
  const known = digestOf(row.address, purpose === "confirm" ? row : undefined);
  if (!isSameSecret(known, digest)) return undefined;
  if (row.address_state === states[purpose]) return purpose;
  // What somebody ended is not turned on again by a link of before: another mail has to ask.
  if (purpose === "confirm" && row.address_state !== "unconfirmed") return undefined;
  await tx.query(statements.setAddressState, [teamId, states[purpose]]);
  if (purpose === "end") {
    await removeAll(tx, teamId);
    // No other team asks there, either.
    await insertAsk(tx, { digest, what: "ended", actorId: null });
  }
  await recordChange(tx, { actor, action: actions[purpose], teamId }, row);
  return purpose;
}

/** The mail server refused for good what was sent there: until somebody confirms it again, members are told. Safe to repeat. */
export async function markRefused(tx: Transaction, teamId: string, address: string): Promise<void> {
  const row = await tx.one(statements.findAddress, [teamId]);
  if (row?.address !== address || row.address_state !== "confirmed") return;
  await tx.query(statements.setAddressState, [teamId, "unconfirmed"]);
  await removeAll(tx, teamId);
  await recordChange(tx, { actor: systemActor, action: "org.team_address_refuse", teamId }, row);
}

async function recordChange(
  tx: Transaction,
  { actor, action, teamId }: { actor: Actor; action: AuditAction; teamId: string },
  row: AddressRow,
): Promise<void> {
  await recordAudit(tx, actor, {
    action,
    target: { type: "team", id: teamId, name: row.team },
    details: { address: row.address },
    organizationId: row.organization_id,
  });
}
