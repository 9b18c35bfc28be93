/** Entries whose time is over, by the plan of whose they are (`audit_days` in the schema). */
import type { Database, Transaction } from "../../../platform/db/database.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import type { Span } from "./anchors.ts";
import type { ExpiryRows } from "./expiry.rows.ts";

interface Due {
  number: number | null;
  hash: string | null;
  before: string;
  holds: boolean;
}

interface Known {
  /** What stands before one, and whether it holds, are compared with null; a link has both a number and a hash, or there is none. */
  findDueOfOrganization: Due;
  findDueOfPerson: Due;
}

/** As `audit_log_person` has it in the schema, which is an index of this expression. */
const personOf = (entry: string) =>
  `audit_owner(${["organization_id", "action", "target_type", "target_id", "actor_id"].map((name) => `${entry}.${name}`).join(", ")})`;

const due = (days: string) => `e.at < now() - make_interval(days => ${days})`;

/** The next page of an owner's entries, and those of it that are due; `number` is null for one that is not linked yet. */
const findDueSql = (ofOwner: string) => `
  select e.seq, l.number, encode(l.hash, 'hex') as hash, coalesce(encode(p.hash, 'hex'), '') as before,
    coalesce(l.entry_at = e.at and l.hash = sha256(p.hash || convert_to(audit_canonical(e.entry, $2::text, l.number), 'UTF8')), false)
      as holds
  from (select e as entry, e.seq, e.at from audit_log e where ${ofOwner} and e.seq > $4::bigint order by e.seq limit $5::int) e
  left join lateral (
    select x.number, x.hash, x.entry_at from audit_links x where x.entry_seq = e.seq and x.chain = $2::text offset 0) l on true
  left join lateral (
    select k.hash from audit_links k where k.chain = $2::text and k.number = l.number - 1
    union all select a.hash from audit_anchors a where a.chain = $2::text and a.last = l.number - 1
    union all select decode(repeat('00', 32), 'hex') where l.number = 1 limit 1) p on true
  where ${due("$3::int")} order by l.number`;

/** Whether one of the first entries of an owner is due. They are in the order of time but for a clock that was set back. */
const hasDue = (ofOwner: string) =>
  `(select bool_or(${due("o.days")}) from (select a.at from audit_log a where ${ofOwner} order by a.seq limit 100) e)`;

export const statements = defineStatements<ExpiryRows, Known>({
  /** Each with its chain and the days that count for it. What is in a chain and in no table was deleted. */
  listOwners: `
    with whose as (
      select id as owner, id as chain, audit_days(id) as days from organizations
      union all select id, 'instance', audit_days(id) from users
      union all select '', 'instance', audit_days('')
      union all select h.chain, h.chain, audit_days(h.chain) from audit_heads h
        where h.chain <> 'instance' and not exists (select 1 from organizations g where g.id = h.chain))
    select o.owner, o.chain, o.days from whose o where o.days > 0 and case when o.chain = 'instance'
      then ${hasDue(`a.organization_id is null and ${personOf("a")} = o.owner`)}
      else ${hasDue("a.organization_id = o.owner")} end`,
  findDueOfOrganization: findDueSql("e.organization_id = $1::text"),
  findDueOfPerson: findDueSql(`e.organization_id is null and ${personOf("e")} = $1::text`),
  lockExpiry: "select pg_advisory_xact_lock(7310446)",
  removeEntries: "select remove_audit_entries($1, $2, $3) as removed",
  shrink: "select shrink_audit_partition() as name",
});

export type DueEntry = RowOf<typeof statements.findDueOfPerson>;

export type ExpiryOwner = ExpiryRows["listOwners"];

/** Organizations and users, and the empty name of nobody, of whose first entries some are due. */
export function listOwners(db: Database): Promise<ExpiryOwner[]> {
  return db.query(statements.listOwners);
}

/**
 * Of the next entries behind a place in the log, those that are due, in the order of the chain; none where none of them is. `holds`: the
 * chain proves it.
 */
export function findDue(
  tx: Transaction,
  { owner, chain, days }: ExpiryOwner,
  { after, limit }: { after: number; limit: number },
): Promise<DueEntry[]> {
  const statement = chain === "instance" ? statements.findDueOfPerson : statements.findDueOfOrganization;
  return tx.query(statement, [owner, chain, days, after, limit]);
}

/** Until the transaction ends nobody else removes entries. */
export async function lockExpiry(tx: Transaction): Promise<void> {
  await tx.query(statements.lockExpiry);
}

/** How many; throws for those whose time is not over. */
export async function removeEntries(tx: Transaction, chain: string, spans: readonly Span[]): Promise<number> {
  const ends = [spans.map(({ first }) => first), spans.map(({ last }) => last)];
  return (await tx.one(statements.removeEntries, [chain, ...ends]))?.removed ?? 0;
}

/** Of one partition, more of which is gone than left; null where there is none. */
export async function shrinkPartition(db: Database): Promise<string | null> {
  return (await db.one(statements.shrink))?.name ?? null;
}
