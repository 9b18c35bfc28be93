/** Rows of `audit_anchors`. */
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import type { Anchor, Span } from "./anchors.ts";
import type { AnchorsRows } from "./anchors.rows.ts";

const columns = `chain, first, last, encode(before, 'hex') as before, encode(hash, 'hex') as hash,
  encode(signature, 'hex') as signature`;

export const statements = defineStatements<AnchorsRows>({
  listTouching: `
    select ${columns} from audit_anchors where chain = $1 and (last = any($2) or first = any($3)) order by first`,
  listAfter: `
    select ${columns} from audit_anchors where (chain, first) > ($1::text, $2::bigint) order by chain, first limit $3`,
  deleteAnchors: "delete from audit_anchors where chain = $1 and first = any($2)",
  insertAnchors: `
    insert into audit_anchors (chain, first, last, before, hash, signature)
    select $1, a.first, a.last, decode(a.before, 'hex'), decode(a.hash, 'hex'), decode(a.signature, 'hex')
    from unnest($2::bigint[], $3::bigint[], $4::text[], $5::text[], $6::text[]) as a (first, last, before, hash, signature)`,
  signAgain: `
    update audit_anchors a set signature = decode(v.signature, 'hex')
    from unnest($2::bigint[], $3::text[], $4::text[]) as v (first, before, signature)
    where a.chain = $1 and a.first = v.first and encode(a.signature, 'hex') = v.before`,
  findCovering: `select ${columns} from audit_anchors where chain = $1 and $2 between first and last`,
  countExpired: `
    select coalesce(sum(last - first + 1), 0)::float8 as entries from audit_anchors where chain = $1`,
});

type AnchorRow = AnchorsRows["listAfter"];

/** Those that end where one of the spans begins, or the other way round. */
export function listTouching(tx: Transaction, chain: string, spans: readonly Span[]): Promise<AnchorRow[]> {
  const ends = spans.map(({ first }) => first - 1);
  return tx.query(statements.listTouching, [chain, ends, spans.map(({ last }) => last + 1)]);
}

/** In the order of chains and numbers. */
export function listAfter(
  db: Queryable,
  { chain, first }: { chain: string; first: number },
  limit: number,
): Promise<AnchorRow[]> {
  return db.query(statements.listAfter, [chain, first, limit]);
}

export async function deleteAnchors(tx: Transaction, chain: string, anchors: readonly Span[]): Promise<void> {
  await tx.query(statements.deleteAnchors, [chain, anchors.map(({ first }) => first)]);
}

export async function insertAnchors(
  tx: Transaction,
  chain: string,
  anchors: readonly Anchor[],
): Promise<void> {
  await tx.query(statements.insertAnchors, [
    chain,
    anchors.map(({ first }) => first),
    anchors.map(({ last }) => last),
    anchors.map(({ before }) => before),
    anchors.map(({ hash }) => hash),
    anchors.map(({ signature }) => signature),
  ]);
}

/** Each with the signature that it had, and the new one. Those that have changed meanwhile are left: they have been signed since. */
export async function signAgain(
  tx: Transaction,
  chain: string,
  anchors: readonly { first: number; before: string; after: string }[],
): Promise<void> {
  await tx.query(statements.signAgain, [
    chain,
    anchors.map(({ first }) => first),
    anchors.map(({ before }) => before),
    anchors.map(({ after }) => after),
  ]);
}

/** The one in whose place an entry was; undefined where there is none. */
export function findCovering(db: Queryable, chain: string, number: number): Promise<AnchorRow | undefined> {
  return db.one(statements.findCovering, [chain, number]);
}

/** Entries of a chain that were removed because their time was over. */
export async function countExpired(db: Queryable, chain: string): Promise<number> {
  return (await db.one(statements.countExpired, [chain]))?.entries ?? 0;
}
