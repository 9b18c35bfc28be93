/**
 * Proves a chain part by part: first each link's hash computed again, then that every entry has a link. `limit` bounds the rows
 * that one part reads.
 */
import type { AuditVerification } from "@forgeline/schemas/audit/resource.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import {
  checkEntries,
  checkLinks,
  readHead,
  type BrokenLink,
  type EntriesRow,
  type LinksRow,
  type Point,
} from "./chain.store.ts";
import type { Position } from "./proof-cursor.ts";

export type Problem = NonNullable<AuditVerification["problem"]>;

export interface Part {
  head: Point | null;
  /** The progress of the proof after this part. */
  until: Position;
  /** Whether nothing of the chain is left to prove. */
  complete: boolean;
  problem: Problem | null;
}

/** Proves up to `limit` links, and once these have ended up to `limit` entries. */
export async function provePart(db: Queryable, from: Position, limit: number): Promise<Part> {
  if (from.entrySeq !== null) {
    const head = await readHead(db, from.chain);
    return { head, ...(await proveEntries(db, from, limit)) };
  }
  const row = await checkLinks(db, from, limit);
  const head = row.head && { ...row.head, at: new Date(row.head.at) };
  const until = { ...from, ...row.last };
  const problem = linkProblem(row, { from, until, limit });
  if (problem || row.rows === limit) return { head, until, complete: false, problem };
  return { head, ...(await proveEntries(db, { ...until, entrySeq: 0 }, limit)) };
}

async function proveEntries(db: Queryable, from: Position, limit: number): Promise<Omit<Part, "head">> {
  const row = await checkEntries(db, from, limit);
  const until = { ...from, entrySeq: row.last_seq ?? from.entrySeq };
  return { until, complete: row.rows < limit, problem: entryProblem(row) };
}

function linkProblem(
  row: LinksRow,
  { from, until, limit }: { from: Position; until: Position; limit: number },
): Problem | null {
  if (from.number > 0 && row.start_hash !== from.hash) return checkpointMismatch(from.number);
  if (row.broken) return brokenProblem(row.broken);
  const ended = row.rows < limit;
  const head = row.head ?? { number: 0, hash: until.number === 0 ? until.hash : null };
  if (!ended || (head.number === until.number && head.hash === until.hash)) return null;
  return {
    code: "head_differs",
    seq: until.number || null,
    id: null,
    message: `The chain ends at ${until.number}, but should end at ${head.number}.`,
  };
}

function brokenProblem({ number: seq, id, present, follows }: BrokenLink): Problem {
  if (!follows) return { code: "link_missing", seq, id, message: `The entries before ${seq} were removed.` };
  if (!present) return { code: "entry_missing", seq, id: null, message: `Entry ${seq} was removed.` };
  const message = `Entry ${seq} was changed or moved after it was recorded.`;
  return { code: "entry_changed", seq, id, message };
}

function entryProblem({ stray, lost }: EntriesRow): Problem | null {
  if (stray !== null)
    return {
      code: "entry_unlinked",
      seq: null,
      id: stray,
      message: "An entry was inserted outside the chain.",
    };
  if (lost === null) return null;
  const message = "An entry was removed before it was linked.";
  return { code: "entry_missing", seq: null, id: null, message };
}

/** For a position whose hash this instance has signed. */
export function checkpointMismatch(seq: number): Problem {
  const message = `The chain does not have the hash at ${seq} that was signed: its end was removed, or it was rewritten.`;
  return { code: "checkpoint_differs", seq, id: null, message };
}
