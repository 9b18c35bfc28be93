/** Where notifications of a team go: seen by who belongs to it, chosen by who manages it. */
import { isDeepStrictEqual } from "node:util";
import { isTimeZone } from "@forgeline/compiler/cron.ts";
import type { TeamRouting, TeamRoutingSet } from "@forgeline/schemas/team-routing/resource.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { AppError, invalidField } from "../../../platform/app-error.ts";
import type { Database, Queryable, Transaction } from "../../../platform/db/database.ts";
import { recordAudit, type Operation } from "../../operation/domain.ts";
import { managesTeam, type GrantedTeam } from "../../policy/domain.ts";
import { dueTime } from "../notification-mails/due-time.ts";
import type { AddressTokens } from "./address-tokens.ts";
import { askToConfirm, countAsked, isAsked, nextAddress } from "./confirmations.ts";
import type { StoredRule } from "./decide-target.ts";
import { keepHidden } from "./keep-hidden.ts";
import { delayWaiting, removeAll } from "./mails.store.ts";
import { presentTeamRouting, usual } from "./present.ts";
import * as store from "./routings.store.ts";

export interface TeamRoutingService {
  /** Throws `forbidden` for who does not belong to the team. */
  get(actor: Actor, granted: GrantedTeam): Promise<TeamRouting>;
  /**
   * Throws `validation_failed` for repositories that the team does not read, rules for an address that is not given and unknown
   * time zones, and `conflict` past the mails that confirm addresses. For those who manage the team, as the contract says.
   * What is already so is no change.
   */
  set(actor: Actor, granted: GrantedTeam, wanted: TeamRoutingSet): Promise<TeamRouting>;
}

export interface TeamRoutingDeps {
  db: Database;
  addresses: Addresses;
  mail: Pick<Operation["mail"], "write">;
  tokens: AddressTokens;
}

export function createTeamRoutingService(deps: TeamRoutingDeps): TeamRoutingService {
  const { db } = deps;
  return {
    async get(actor, granted) {
      await requireMember(db, actor, granted);
      return shown(db, granted.team.id);
    },
    set: (actor, granted, wanted) =>
      db.transaction(async (tx) => {
        const teamId = granted.team.id;
        const old = await store.findToChange(tx, teamId);
        const before = await shown(tx, teamId);
        const asks = isAsked(old, wanted);
        const next = {
          ...(await storedOf(tx, teamId, { wanted, old })),
          ...nextAddress(actor, old, wanted),
        };
        const row = asks ? countAsked(next) : next;
        await store.putRouting(tx, teamId, row);
        await updateWaiting(tx, teamId, { old, row });
        const after = await shown(tx, teamId);
        // Rules of what nobody is shown are no change by themselves, but what is lost of them would be.
        const isSame = isDeepStrictEqual(old?.rules ?? [], row.rules);
        await recordChange(tx, { actor, granted }, { before, after, isSame });
        if (asks) await askToConfirm(tx, deps, { actor, granted, address: row.address ?? "", ask: row });
        return after;
      }),
  };
}

async function requireMember(db: Queryable, actor: Actor, granted: GrantedTeam): Promise<void> {
  if (managesTeam(granted) || granted.teamRole !== null) return;
  if (await db.one(store.statements.belongs, [granted.team.id, actor.userId])) return;
  throw new AppError("forbidden", { message: "Only those who belong to the team see where it is told." });
}

async function shown(db: Queryable, teamId: string): Promise<TeamRouting> {
  const row = await store.findRouting(db, teamId);
  if (!row) return usual;
  const ids = row.rules.flatMap(({ repository_ids: some }) => some ?? []);
  return presentTeamRouting(row, await store.namesById(db, teamId, ids));
}

async function storedOf(
  tx: Transaction,
  teamId: string,
  { wanted, old }: { wanted: TeamRoutingSet; old: store.RoutingRow | undefined },
) {
  if (!isTimeZone(wanted.time_zone))
    throw invalidField("time_zone", "unknown", "This is not an IANA time zone.");
  const quiet = wanted.quiet_hours;
  return {
    rules: await withHidden(tx, teamId, {
      stored: old?.rules ?? [],
      wanted: await storedRules(tx, teamId, wanted),
    }),
    digest: wanted.digest,
    digest_at: wanted.digest_at,
    time_zone: wanted.time_zone,
    quiet_from: quiet?.from ?? null,
    quiet_to: quiet?.to ?? null,
    quiet_days: quiet?.days ?? [],
  };
}

async function withHidden(
  tx: Transaction,
  teamId: string,
  { stored, wanted }: { stored: readonly StoredRule[]; wanted: readonly StoredRule[] },
): Promise<StoredRule[]> {
  const ids = stored.flatMap(({ repository_ids: some }) => some ?? []);
  const hidden = await store.listHidden(tx, teamId, ids);
  return keepHidden(stored, wanted, (id) => hidden.has(id));
}

async function storedRules(
  tx: Transaction,
  teamId: string,
  { rules, address }: TeamRoutingSet,
): Promise<StoredRule[]> {
  const names = rules.flatMap(({ repositories }) => repositories ?? []).map((name) => name.toLowerCase());
  const ids = await store.idsByName(tx, teamId, names);
  return rules.map(({ events, repositories, to }, index) => {
    if (to === "address" && address === null)
      throw invalidField(`rules.${index}.to`, "not_allowed", "Give the team an address first.");
    const known = repositories?.map((name) => {
      const id = ids.get(name.toLowerCase());
      if (id === undefined)
        throw invalidField(
          `rules.${index}.repositories`,
          "unknown",
          "The team reads no repository of the organization that is called so.",
        );
      return id;
    });
    return {
      events: events && [...new Set(events)],
      repository_ids: known ? [...new Set(known)] : null,
      to,
    };
  });
}

/** What waits for the same address is sent as it is chosen now. */
async function updateWaiting(
  tx: Transaction,
  teamId: string,
  { old, row }: { old: store.RoutingRow | undefined; row: store.StoredRouting },
): Promise<void> {
  if (old?.address?.toLowerCase() !== row.address?.toLowerCase()) await removeAll(tx, teamId);
  const { atMs, inDigest } = dueTime(row, Date.now());
  await delayWaiting(tx, teamId, { at: new Date(atMs), inDigest });
  await tx.notify("mail", "");
}

async function recordChange(
  tx: Transaction,
  { actor, granted }: { actor: Actor; granted: GrantedTeam },
  { before, after, isSame }: { before: TeamRouting; after: TeamRouting; isSame: boolean },
): Promise<void> {
  const [from, to] = [before, after].map(({ updated_at: _at, ...chosen }) => chosen);
  if (isSame && JSON.stringify(from) === JSON.stringify(to)) return;
  const { organization, team } = granted;
  await recordAudit(tx, actor, {
    action: "org.team_routing_update",
    target: { type: "team", id: team.id, name: `${organization.name}/${team.path}` },
    details: { before: from, after: to },
    organizationId: organization.id,
  });
}
