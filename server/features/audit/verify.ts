/** Proves one chain: every hash computed anew, in one statement and so of one moment. */
import type { AuditVerification } from "@forgeline/schemas/audit/resource.ts";
import type { Queryable } from "../../db/database.ts";

export type Problem = NonNullable<AuditVerification["problem"]>;

export interface Point {
  number: number;
  /** Hexadecimal. */
  hash: string;
  at: Date;
}

interface CheckedRow {
  entries: number;
  head: { number: number; hash: string; at: string } | null;
  broken: { number: number; id: string | null; present: boolean; follows: boolean } | null;
  stray: string | null;
  lost: string | null;
  last_number: number | null;
  last_hash: string | null;
}

export interface ChainState {
  entries: number;
  head: Point | null;
  problem: Problem | null;
}

/** A link that does not follow the one before it, or an entry that does not give its hash, is the first in order. */
const checkSql = `
  with checked as (
    select l.number, l.hash, e.id, e.seq is not null as present,
      l.number = coalesce(lag(l.number) over chain, 0) + 1 as follows,
      coalesce(coalesce(e.organization_id, 'instance') = l.chain and l.hash = sha256(
        coalesce(lag(l.hash) over chain, decode(repeat('00', 32), 'hex'))
        || convert_to(audit_canonical(e, l.chain, l.number), 'UTF8')), false) as holds
    from audit_links l left join audit_log e on e.seq = l.entry_seq and e.at = l.entry_at
    where l.chain = $1 window chain as (order by l.number))
  select (select count(*) from checked) as entries,
    (select json_build_object('number', h.number, 'hash', encode(h.hash, 'hex'), 'at', h.updated_at)
     from audit_heads h where h.chain = $1) as head,
    (select json_build_object('number', number, 'id', id, 'present', present, 'follows', follows)
     from checked where not (present and follows and holds) order by number limit 1) as broken,
    (select e.id from audit_log e where e.organization_id is not distinct from nullif($1, 'instance')
       and not exists (select 1 from audit_links l where l.entry_seq = e.seq)
       and not exists (select 1 from audit_pending p where p.entry_seq = e.seq)
     order by e.seq limit 1) as stray,
    (select p.entry_seq::text from audit_pending p where p.chain = $1
       and not exists (select 1 from audit_log e where e.seq = p.entry_seq and e.at = p.entry_at)
     order by p.entry_seq limit 1) as lost,
    (select number from audit_links where chain = $1 order by number desc limit 1) as last_number,
    (select encode(hash, 'hex') from audit_links where chain = $1 order by number desc limit 1) as last_hash`;

export async function checkChain(db: Queryable, chain: string): Promise<ChainState> {
  const row = await db.one<CheckedRow>(checkSql, [chain]);
  if (!row) throw new Error("the check gave no row");
  const head = row.head && { ...row.head, at: new Date(row.head.at) };
  return { entries: row.entries, head, problem: problemOf(row) };
}

function problemOf(row: CheckedRow): Problem | null {
  const { broken, head, stray, lost } = row;
  if (broken) {
    const { number: seq, id, present, follows } = broken;
    if (!follows)
      return { code: "link_missing", seq, id, message: `What stood before entry ${seq} was taken away.` };
    return present
      ? {
          code: "entry_changed",
          seq,
          id,
          message: `Entry ${seq} is not what was recorded, or stands elsewhere.`,
        }
      : { code: "entry_missing", seq, id: null, message: `Entry ${seq} was taken away.` };
  }
  if ((head?.number ?? null) !== row.last_number || (head?.hash ?? null) !== row.last_hash)
    return {
      code: "head_differs",
      seq: row.last_number,
      id: null,
      message: `The chain ends at ${row.last_number ?? 0}, and should at ${head?.number ?? 0}.`,
    };
  if (stray !== null)
    return { code: "entry_unlinked", seq: null, id: stray, message: "An entry was put in past the chain." };
  if (lost !== null)
    return {
      code: "entry_missing",
      seq: null,
      id: null,
      message: "An entry was taken away before it was linked.",
    };
  return null;
}

/** The hash that the chain has at a place now; undefined where it does not reach there. */
export async function hashAt(db: Queryable, chain: string, number: number): Promise<string | undefined> {
  const row = await db.one<{ hash: string }>(
    "select encode(hash, 'hex') as hash from audit_links where chain = $1 and number = $2",
    [chain, number],
  );
  return row?.hash;
}
