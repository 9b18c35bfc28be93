/**
 * Removes entries of the audit log whose time is over, each together with its link, and puts signed anchors in their place. What the chain
 * does not prove any more is left: somebody tampered with it, and whoever verifies is to see that.
 */
import { createCounter } from "../../../platform/declared-metrics.ts";
import { crashPoint } from "../../../platform/crash-point.ts";
import type { Database, Transaction } from "../../../platform/db/database.ts";
import type { Logger } from "../../../platform/logger.ts";
import type { Metrics } from "../../../platform/metrics.ts";
import type { UpkeepTask } from "../../../platform/upkeep-task.ts";
import { joinAnchors, mayJoin, spansOf, type AnchorSigner } from "./anchors.ts";
import type { Checkpoints } from "./checkpoints.ts";
import * as anchors from "./anchors.store.ts";
import * as store from "./expiry.store.ts";

export interface AuditExpiryDeps {
  db: Database;
  signer: AnchorSigner;
  checkpoints: Pick<Checkpoints, "compare">;
  logger: Logger;
  registry: Metrics;
}

const everyMs = 60 * 60 * 1000;
/** Entries of one transaction. */
const batch = 2_000;

export function createAuditExpiry(deps: AuditExpiryDeps): { upkeepTasks: UpkeepTask[] } {
  const { db, logger } = deps;
  const expired = createCounter(deps.registry, "forgeline_audit_expired_total");

  /** Behind a place in the log, so that what was removed before is not passed again; gives the next place, null at the end. */
  async function removeBatch(owner: store.ExpiryOwner, after: number): Promise<number | null> {
    const { found, removed } = await db.transaction(async (tx) => {
      await store.lockExpiry(tx);
      const found = await store.findDue(tx, owner, { after, limit: batch });
      const removed = await replace(tx, owner.chain, found);
      crashPoint("audit.expired-before-commit");
      return { found, removed };
    });
    expired.inc(removed);
    return found.length === 0 ? null : Math.max(...found.map(({ seq }) => seq));
  }

  /** By anchors: those that the chain proves, and beside which no anchor speaks against it. How many there were. */
  async function replace(tx: Transaction, chain: string, found: readonly store.DueEntry[]): Promise<number> {
    const broken = found.find(({ number, holds }) => number !== null && !holds);
    if (broken) keep(chain, broken.number);
    const all = spansOf(found.flatMap(({ holds, ...entry }) => (holds && isLinked(entry) ? [entry] : [])));
    const beside = (await anchors.listTouching(tx, chain, all)).map((anchor) => ({
      ...anchor,
      isOurs: deps.signer.proves(chain, anchor),
    }));
    const spans = all.filter((span) => mayJoin(span, beside));
    for (const { first } of all.filter((span) => !spans.includes(span))) keep(chain, first);
    if (spans.length === 0) return 0;
    const touched = await anchors.listTouching(tx, chain, spans);
    const removed = await store.removeEntries(tx, chain, spans);
    await anchors.deleteAnchors(tx, chain, touched);
    const joined = joinAnchors(spans, touched).map((span) => deps.signer.sign(chain, span));
    await anchors.insertAnchors(tx, chain, joined);
    return removed;
  }

  const keep = (chain: string, seq: number | null) =>
    logger.error({ chain, seq }, "the audit log does not hold at an entry whose time is over, which is kept");

  async function removeOf(owner: store.ExpiryOwner, signal: AbortSignal): Promise<void> {
    for (let place: number | null = 0; place !== null; place = await removeBatch(owner, place))
      signal.throwIfAborted();
  }

  /** What contradicts its checkpoint was rewritten: nothing is removed by which that can be seen. */
  async function removeOfChain(
    chain: string,
    owners: readonly store.ExpiryOwner[],
    signal: AbortSignal,
  ): Promise<void> {
    const { problem } = await deps.checkpoints.compare(chain);
    if (problem) return keep(chain, problem.seq);
    for (const owner of owners) await removeOf(owner, signal);
  }

  async function run(signal: AbortSignal): Promise<void> {
    const failed: unknown[] = [];
    for (const [chain, owners] of Map.groupBy(await store.listOwners(db), (owner) => owner.chain)) {
      // One that fails holds up no other.
      await removeOfChain(chain, owners, signal).catch((error: unknown) => failed.push(error));
      signal.throwIfAborted();
    }
    while ((await store.shrinkPartition(db)) !== null) signal.throwIfAborted();
    if (failed.length > 0) throw failed[0];
  }

  return { upkeepTasks: [{ name: "remove_expired_audit_entries", everyMs, run }] };
}

function isLinked<T extends { number: number | null; hash: string | null }>(
  entry: T,
): entry is T & { number: number; hash: string } {
  return entry.number !== null && entry.hash !== null;
}
