/** Chains of the audit log: adds links, and reads them part by part. */
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import type { Anchor } from "./anchors.ts";
import type { Position } from "./proof-cursor.ts";
import type { ChainRows } from "./chain.rows.ts";

export interface Point {
  number: number;
  /** Hexadecimal. */
  hash: string;
  at: Date;
}

export interface BrokenLink {
  number: number;
  id: string | null;
  present: boolean;
  follows: boolean;
}

export type LinksRow = RowOf<typeof statements.checkLinks>;

export type EntriesRow = RowOf<typeof statements.checkEntriesOfInstance>;

const entriesSql = (ofChain: string) => `
  with part as (
    select e.seq, e.id from audit_log e where ${ofChain} and e.seq > $2::bigint order by e.seq limit $3::int)
  select (select count(*) from part) as rows, (select max(seq) from part) as last_seq,
    (select p.id from part p where not exists (select 1 from audit_links l where l.entry_seq = p.seq)
       and not exists (select 1 from audit_pending w where w.entry_seq = p.seq)
     order by p.seq limit 1) as stray,
    (select w.entry_seq::text from audit_pending w where w.chain = $1::text
       and not exists (select 1 from audit_log e where e.seq = w.entry_seq and e.at = w.entry_at)
     order by w.entry_seq limit 1) as lost`;
interface Known {
  /**
   * The id is that of an entry, if there is one; the number is compared with a value that is always given. Anchors are made of columns that
   * are never null.
   */
  checkLinks: { broken: BrokenLink | null; anchors: Anchor[] | null; tail: Anchor | null };
}

const anchorJson = `json_build_object('first', a.first, 'last', a.last, 'before', encode(a.before, 'hex'),
  'hash', encode(a.hash, 'hex'), 'signature', encode(a.signature, 'hex'))`;

export const statements = defineStatements<ChainRows, Known>({
  /**
   * One lookup per entry: the planner must not choose to read the whole log. Where entries were removed because their time was over, an
   * anchor leads on. One that begins before the place from which the proof goes on has been made since.
   */
  checkLinks: `
    with part as (
      select number, hash, entry_seq, entry_at from audit_links
      where chain = $1::text and number > $2::bigint order by number limit $4::int),
    led as (
      select p.*, a.first, a.before, a.hash as anchored, coalesce(lag(p.number) over chain, $2::bigint) as number_before,
        coalesce(lag(p.hash) over chain, decode($3, 'hex')) as hash_before
      from part p left join audit_anchors a on a.chain = $1::text and a.last = p.number - 1
      window chain as (order by p.number)),
    checked as (
      select l.number, (x.entry).id as id, (x.entry).seq is not null as present,
        case when l.first is null then l.number = l.number_before + 1
          else l.first = l.number_before + 1 and l.before = l.hash_before
            or l.first <= l.number_before and l.number_before = $2::bigint end as follows,
        coalesce(coalesce((x.entry).organization_id, 'instance') = $1::text and l.hash = sha256(
          coalesce(l.anchored, l.hash_before) || convert_to(audit_canonical(x.entry, $1::text, l.number), 'UTF8')), false) as holds
      from led l left join lateral (
        select e as entry from audit_log e where e.seq = l.entry_seq and e.at = l.entry_at offset 0) x on true)
    select (select count(*) from checked) as rows,
      (select encode(hash, 'hex') from audit_links where chain = $1::text and number = $2::bigint) as start_hash,
      exists (select 1 from audit_anchors where chain = $1::text and $2::bigint between first and last
        and last in ((select min(number) - 1 from part), (select number from audit_heads where chain = $1::text))) as start_expired,
      (select json_build_object('number', h.number, 'hash', encode(h.hash, 'hex'), 'at', h.updated_at)
       from audit_heads h where h.chain = $1::text) as head,
      (select json_build_object('number', number, 'id', id, 'present', present, 'follows', follows)
       from checked where not (present and follows and holds) order by number limit 1) as broken,
      (select json_build_object('number', number, 'hash', encode(hash, 'hex'))
       from part order by number desc limit 1) as last,
      (select json_agg(${anchorJson} order by a.first) from audit_anchors a where a.chain = $1::text
       and a.last in (select number - 1 from led where first is not null)) as anchors,
      (select ${anchorJson} from audit_anchors a, audit_heads h where a.chain = $1::text and h.chain = a.chain and a.last = h.number
       and a.last > coalesce((select max(number) from part), $2::bigint)) as tail`,
  checkEntriesOfInstance: entriesSql("e.organization_id is null and $1::text is not null"),
  checkEntriesOfOrganization: entriesSql("e.organization_id = $1::text"),
  readHead: "select number, encode(hash, 'hex') as hash, updated_at as at from audit_heads where chain = $1",
  hashAt: "select encode(hash, 'hex') as hash from audit_links where chain = $1 and number = $2",
  lastNumber: "select number from audit_heads where chain = $1",
  changedHeads: `
    select chain, number, encode(hash, 'hex') as hash, updated_at as at from audit_heads
    where updated_at >= $1 order by updated_at`,
  findPending: "select 1 from audit_pending limit 1",
  linkPending: "select link_audit_entries($1) as linked",
  makePartitions: "select make_audit_partitions()",
  limitTime: "select set_config('statement_timeout', $1, true)",
});

/** Up to so many links behind a place, each hash computed again. */
export async function checkLinks(db: Queryable, from: Position, limit: number): Promise<LinksRow> {
  const row = await db.one(statements.checkLinks, [from.chain, from.number, from.hash, limit]);
  if (!row) throw new Error("the check gave no row");
  return row;
}

/** Up to so many entries behind a place, each with a link or waiting for one. */
export async function checkEntries(db: Queryable, from: Position, limit: number): Promise<EntriesRow> {
  const statement =
    from.chain === "instance" ? statements.checkEntriesOfInstance : statements.checkEntriesOfOrganization;
  const row = await db.one(statement, [from.chain, from.entrySeq, limit]);
  if (!row) throw new Error("the check gave no row");
  return row;
}

export async function readHead(db: Queryable, chain: string): Promise<Point | null> {
  const row = await db.one(statements.readHead, [chain]);
  return row ?? null;
}

/** The chain's current hash at a position; undefined if it is shorter, or has no hash there any more. */
export async function hashAt(db: Queryable, chain: string, number: number): Promise<string | undefined> {
  const row = await db.one(statements.hashAt, [chain, number]);
  return row?.hash;
}

/** Of the chain's newest entry; 0 where there is none. */
export async function lastNumber(db: Queryable, chain: string): Promise<number> {
  const row = await db.one(statements.lastNumber, [chain]);
  return row?.number ?? 0;
}

/** Heads that have changed since then, oldest first. */
export function changedHeads(db: Queryable, since: Date): Promise<(Point & { chain: string })[]> {
  return db.query(statements.changedHeads, [since]);
}

/** Returns how many were linked. First checks whether anything waits, because linking waits for other servers that do. */
export async function linkPending(db: Queryable, max: number): Promise<number> {
  if (!(await db.one(statements.findPending))) return 0;
  const row = await db.one(statements.linkPending, [max]);
  return row?.linked ?? 0;
}

/** Creates missing partitions of this month and the next three. */
export async function makePartitions(db: Queryable): Promise<void> {
  await db.query(statements.makePartitions);
}

/** Statements of the transaction that take longer fail with 57014. */
export async function limitTime(tx: Transaction, maxMs: number): Promise<void> {
  await tx.query(statements.limitTime, [String(maxMs)]);
}
