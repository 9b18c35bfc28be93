/**
 * Proves a chain part by part: first each link's hash computed anew, then that every entry has a link. What is bounded
 * by `limit` are the rows that a part looks at.
 */
import type { AuditVerification } from "@forgeline/schemas/audit/resource.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import type { Position } from "./proof-cursor.ts";

export type Problem = NonNullable<AuditVerification["problem"]>;

export interface Point {
  number: number;
  /** Hexadecimal. */
  hash: string;
  at: Date;
}

interface Broken {
  number: number;
  id: string | null;
  present: boolean;
  follows: boolean;
}

interface LinksRow {
  rows: number;
  start_hash: string | null;
  head: { number: number; hash: string; at: string } | null;
  broken: Broken | null;
  last: { number: number; hash: string } | null;
}

interface EntriesRow {
  rows: number;
  last_seq: number | null;
  stray: string | null;
  lost: string | null;
}

export interface Part {
  head: Point | null;
  /** How far the proof has come with this part. */
  until: Position;
  /** Whether nothing of the chain is left to prove. */
  complete: boolean;
  problem: Problem | null;
}

/** One look-up an entry, which partitions stand for less than their number: the plan must not read all of the log. */
const linksSql = `
  with part as (
    select number, hash, entry_seq, entry_at from audit_links
    where chain = $1::text and number > $2::bigint order by number limit $4::int),
  checked as (
    select l.number, (x.entry).id as id, (x.entry).seq is not null as present,
      l.number = coalesce(lag(l.number) over chain, $2::bigint) + 1 as follows,
      coalesce(coalesce((x.entry).organization_id, 'instance') = $1::text and l.hash = sha256(
        coalesce(lag(l.hash) over chain, decode($3, 'hex'))
        || convert_to(audit_canonical(x.entry, $1::text, l.number), 'UTF8')), false) as holds
    from part l left join lateral (
      select e as entry from audit_log e where e.seq = l.entry_seq and e.at = l.entry_at offset 0) x on true
    window chain as (order by l.number))
  select (select count(*) from checked) as rows,
    (select encode(hash, 'hex') from audit_links where chain = $1::text and number = $2::bigint) as start_hash,
    (select json_build_object('number', h.number, 'hash', encode(h.hash, 'hex'), 'at', h.updated_at)
     from audit_heads h where h.chain = $1::text) as head,
    (select json_build_object('number', number, 'id', id, 'present', present, 'follows', follows)
     from checked where not (present and follows and holds) order by number limit 1) as broken,
    (select json_build_object('number', number, 'hash', encode(hash, 'hex'))
     from part order by number desc limit 1) as last`;

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
const entriesOfInstance = entriesSql("e.organization_id is null and $1::text is not null");
const entriesOfOrganization = entriesSql("e.organization_id = $1::text");

/** Proves up to `limit` links, and once these have ended up to `limit` entries. */
export async function provePart(db: Queryable, from: Position, limit: number): Promise<Part> {
  if (from.entrySeq !== null) {
    const head = await readHead(db, from.chain);
    return { head, ...(await proveEntries(db, from, limit)) };
  }
  const row = await db.one<LinksRow>(linksSql, [from.chain, from.number, from.hash, limit]);
  if (!row) throw new Error("the check gave no row");
  const head = row.head && { ...row.head, at: new Date(row.head.at) };
  const until = { ...from, ...row.last };
  const problem = linkProblem(row, from, until, limit);
  if (problem || row.rows === limit) return { head, until, complete: false, problem };
  return { head, ...(await proveEntries(db, { ...until, entrySeq: 0 }, limit)) };
}

async function readHead(db: Queryable, chain: string): Promise<Point | null> {
  const row = await db.one<Point>(
    "select number, encode(hash, 'hex') as hash, updated_at as at from audit_heads where chain = $1",
    [chain],
  );
  return row ?? null;
}

async function proveEntries(db: Queryable, from: Position, limit: number): Promise<Omit<Part, "head">> {
  const sql = from.chain === "instance" ? entriesOfInstance : entriesOfOrganization;
  const row = await db.one<EntriesRow>(sql, [from.chain, from.entrySeq, limit]);
  if (!row) throw new Error("the check gave no row");
  const until = { ...from, entrySeq: row.last_seq ?? from.entrySeq };
  return { until, complete: row.rows < limit, problem: entryProblem(row) };
}

function linkProblem(row: LinksRow, from: Position, until: Position, limit: number): Problem | null {
  if (from.number > 0 && row.start_hash !== from.hash) return pointDiffers(from.number);
  if (row.broken) return brokenProblem(row.broken);
  const ended = row.rows < limit;
  const head = row.head ?? { number: 0, hash: until.number === 0 ? until.hash : null };
  if (!ended || (head.number === until.number && head.hash === until.hash)) return null;
  return {
    code: "head_differs",
    seq: until.number || null,
    id: null,
    message: `The chain ends at ${until.number}, and should at ${head.number}.`,
  };
}

function brokenProblem({ number: seq, id, present, follows }: Broken): Problem {
  if (!follows)
    return { code: "link_missing", seq, id, message: `What stood before entry ${seq} was taken away.` };
  if (!present) return { code: "entry_missing", seq, id: null, message: `Entry ${seq} was taken away.` };
  const message = `Entry ${seq} is not what was recorded, or stands elsewhere.`;
  return { code: "entry_changed", seq, id, message };
}

function entryProblem({ stray, lost }: EntriesRow): Problem | null {
  if (stray !== null)
    return { code: "entry_unlinked", seq: null, id: stray, message: "An entry was put in past the chain." };
  if (lost === null) return null;
  const message = "An entry was taken away before it was linked.";
  return { code: "entry_missing", seq: null, id: null, message };
}

/** For a place of which this instance signed the hash. */
export function pointDiffers(seq: number): Problem {
  const message = `The chain does not have the hash at ${seq} that was signed: its end was dropped, or it was rewritten.`;
  return { code: "checkpoint_differs", seq, id: null, message };
}

/** The hash that the chain has at a place now; undefined where it does not reach there. */
export async function hashAt(db: Queryable, chain: string, number: number): Promise<string | undefined> {
  const row = await db.one<{ hash: string }>(
    "select encode(hash, 'hex') as hash from audit_links where chain = $1 and number = $2",
    [chain, number],
  );
  return row?.hash;
}

/** Of the chain's newest entry; 0 where there is none. */
export async function lastNumber(db: Queryable, chain: string): Promise<number> {
  const row = await db.one<{ number: number }>("select number from audit_heads where chain = $1", [chain]);
  return row?.number ?? 0;
}
