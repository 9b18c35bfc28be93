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
import { joinAnchors, spansOf, type AnchorSigner } from "./anchors.ts";
import * as anchors from "./anchors.store.ts";
import * as store from "./expiry.store.ts";

export interface AuditExpiryDeps {
  db: Database;
  signer: AnchorSigner;
  logger: Logger;
  registry: Metrics;
}

type Found = Awaited<ReturnType<typeof store.findDue>>[number];

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

  /** Those that hold, by anchors. How many there were. */
  async function replace(tx: Transaction, chain: string, found: readonly Found[]): Promise<number> {
    const broken = found.find(({ holds }) => !holds);
    if (broken)
      logger.error(
        { chain, seq: broken.number },
        "an audit entry whose time is over does not hold in its chain, and is kept",
      );
    const spans = spansOf(found.filter(({ holds }) => holds));
    if (spans.length === 0) return 0;
    const touched = await anchors.listTouching(tx, chain, spans);
    const removed = await store.removeEntries(tx, chain, spans);
    await anchors.deleteAnchors(tx, chain, touched);
    const joined = joinAnchors(spans, touched).map((span) => deps.signer.sign(chain, span));
    await anchors.insertAnchors(tx, chain, joined);
    return removed;
  }

  async function run(signal: AbortSignal): Promise<void> {
    for (const owner of await store.listOwners(db))
      for (let place: number | null = 0; place !== null; place = await removeBatch(owner, place))
        signal.throwIfAborted();
    while ((await store.shrinkPartition(db)) !== null) signal.throwIfAborted();
  }

  return { upkeepTasks: [{ name: "remove_expired_audit_entries", everyMs, run }] };
}
