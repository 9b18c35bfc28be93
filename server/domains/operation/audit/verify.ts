/**
 * Proves a chain part by part: first each link's hash computed again, then that every entry has a link. `limit` bounds the rows
 * that one part reads. Where entries were removed because their time was over, signed anchors join what is left.
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
import type { Anchor, AnchorSigner } from "./anchors.ts";
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

export interface ProofLimits {
  /** Rows. */
  limit: number;
  signer: Pick<AnchorSigner, "proves">;
}

/** Proves up to `limit` links, and once these have ended up to `limit` entries. */
export async function provePart(
  db: Queryable,
  from: Position,
  { limit, signer }: ProofLimits,
): Promise<Part> {
  if (from.entrySeq !== null) {
    const head = await readHead(db, from.chain);
    return { head, ...(await proveEntries(db, from, limit)) };
  }
  const row = await checkLinks(db, from, limit);
  const head = row.head && { ...row.head, at: new Date(row.head.at) };
  const ended = row.rows < limit;
  const lastLink = { ...from, ...row.last };
  const tail = ended && row.tail && continues(row.tail, from, lastLink) ? row.tail : null;
  const until = tail ? { ...from, number: tail.last, hash: tail.hash } : lastLink;
  const problem = anchorProblem(row, from.chain, signer) ?? linkProblem(row, { from, until, ended });
  if (problem || !ended) return { head, until, complete: false, problem };
  return { head, ...(await proveEntries(db, { ...until, entrySeq: 0 }, limit)) };
}

/** Whether an anchor at the end of a chain follows its last link, or has been made since the proof was there. */
function continues({ first, before }: Anchor, from: Position, last: Position): boolean {
  if (first === last.number + 1) return before === last.hash;
  return first <= from.number && last.number === from.number;
}

function anchorProblem(row: LinksRow, chain: string, signer: ProofLimits["signer"]): Problem | null {
  const all = [...(row.anchors ?? []), ...(row.tail ? [row.tail] : [])];
  const forged = all.find((anchor) => !signer.proves(chain, anchor));
  if (!forged) return null;
  const { first: seq, last } = forged;
  const message = `The entries from ${seq} to ${last} were removed, but not by this instance when their time was over.`;
  return { code: "anchor_forged", seq, id: null, message };
}

async function proveEntries(db: Queryable, from: Position, limit: number): Promise<Omit<Part, "head">> {
  const row = await checkEntries(db, from, limit);
  const until = { ...from, entrySeq: row.last_seq ?? from.entrySeq };
  return { until, complete: row.rows < limit, problem: entryProblem(row) };
}

function linkProblem(
  row: LinksRow,
  { from, until, ended }: { from: Position; until: Position; ended: boolean },
): Problem | null {
  const isSame = from.number === 0 || row.start_hash === from.hash || (row.start_expired ?? false);
  if (!isSame) return checkpointMismatch(from.number);
  if (row.broken) return brokenProblem(row.broken);
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
