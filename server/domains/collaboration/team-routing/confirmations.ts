/** Before anything is sent to a shared address, a mail asks whoever reads there. */
import type { TeamRoutingSet } from "@forgeline/schemas/team-routing/resource.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import type { Operation } from "../../operation/domain.ts";
import type { GrantedTeam } from "../../policy/domain.ts";
import { digestOf, type AddressTokens, type Ask } from "./address-tokens.ts";
import * as asks from "./asks.store.ts";
import type { RoutingRow, StoredRouting } from "./routings.store.ts";

type AddressPart = Ask & Pick<StoredRouting, "address" | "address_state" | "set_by">;

const dayMs = 24 * 60 * 60 * 1000;
/** For one team: whoever sets addresses could send mails to anybody. */
const maxAskedInDay = 5;

function isSame(old: RoutingRow | undefined, { address }: TeamRoutingSet): old is RoutingRow {
  return old !== undefined && old.address?.toLowerCase() === address?.toLowerCase();
}

/** An address that is new or asked again is not confirmed; the same one stays what it is. Who has it asked stands for it. */
export function nextAddress(actor: Actor, old: RoutingRow | undefined, wanted: TeamRoutingSet): AddressPart {
  const asked: Ask = old ?? { asked_since: new Date(), asked_count: 0 };
  const isKept = isSame(old, wanted) && !isAsked(old, wanted);
  return {
    address: wanted.address,
    address_state: isKept ? old.address_state : "unconfirmed",
    set_by: isKept ? old.set_by : actor.userId,
    asked_since: asked.asked_since,
    asked_count: asked.asked_count,
  };
}

/** Whether a mail is to ask for the address. */
export function isAsked(old: RoutingRow | undefined, wanted: TeamRoutingSet): boolean {
  if (wanted.address === null) return false;
  if (!isSame(old, wanted)) return true;
  return wanted.resend_confirmation && old.address_state !== "confirmed";
}

/** Throws `conflict` past the most of one day. */
export function countAsked<Row extends Ask>(row: Row, nowMs = Date.now()): Row {
  const isOver = row.asked_since.getTime() + dayMs <= nowMs;
  if (isOver) return { ...row, asked_since: new Date(nowMs), asked_count: 1 };
  if (row.asked_count >= maxAskedInDay)
    throw new AppError("conflict", {
      message: `At most ${maxAskedInDay} mails a day ask to confirm an address of this team: try again tomorrow.`,
    });
  return { ...row, asked_count: row.asked_count + 1 };
}

export interface ConfirmationDeps {
  addresses: Addresses;
  mail: Pick<Operation["mail"], "write">;
  tokens: AddressTokens;
}

/** Of the whole instance: teams, and with them what they count, are made anew at will. */
const maxOfAddress = 5;
const maxOfActor = 20;

function whyNot(asked: asks.AskedRow): string | undefined {
  if (asked.has_ended) return "Whoever reads at this address ended such mails: it is not asked for 30 days.";
  if (asked.just_now) return "This address was asked just now: try again in a minute.";
  if (asked.of_address >= maxOfAddress)
    return `At most ${maxOfAddress} mails a day ask to confirm one address: try again tomorrow.`;
  if (asked.of_actor >= maxOfActor)
    return `At most ${maxOfActor} mails a day ask to confirm addresses that you chose: try again tomorrow.`;
  return undefined;
}

/** Throws `conflict` where that address, or whoever has it asked, had enough of such mails. */
async function takeAsk(tx: Transaction, actor: Actor, address: string): Promise<void> {
  const digest = digestOf(address);
  const asked = await asks.countAsks(tx, digest, actor.userId);
  const message = asked && whyNot(asked);
  if (message !== undefined) throw new AppError("conflict", { message });
  await asks.insertAsk(tx, { digest, what: "asked", actorId: actor.userId });
}

/** Throws `conflict` as `takeAsk` does. The team is not named: a secret one would be told to whoever reads at an address that was mistyped. */
export async function askToConfirm(
  tx: Transaction,
  { addresses, mail, tokens }: ConfirmationDeps,
  { actor, granted, address, ask }: { actor: Actor; granted: GrantedTeam; address: string; ask: Ask },
): Promise<void> {
  await takeAsk(tx, actor, address);
  const token = tokens.make({ purpose: "confirm", teamId: granted.team.id, address, ask });
  await mail.write(tx, {
    kind: "team_address",
    to: address,
    subject: "Confirm the shared address of a team",
    text: [
      `${actor.username ?? "Somebody"} chose this address as the shared address of a team of ${granted.organization.name} on Forgeline. What concerns the team is to be sent here: titles and links, no texts.`,
      `Confirm it on this page, within three days:\n\n  ${addresses.webUrl}/-/team-address/${token}`,
      "If you did not expect this mail, ignore it: nothing else is sent here until somebody confirms the address.",
    ].join("\n\n"),
  });
}
