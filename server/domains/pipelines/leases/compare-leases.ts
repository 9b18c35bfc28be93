/** Decides which leases a runner keeps when it reconnects. Pure. */
import type { StoredLease, LeaseName } from "./leases.ts";

export interface ComparedLeases {
  /** Each lease that the runner named, once; `row` is null if it does not hold it (any more). */
  named: (LeaseName & { row: StoredLease | null })[];
  /** Leases that were granted, but whose message was lost with the connection; the sweeper handles those that had begun. */
  unsent: ReadonlySet<StoredLease>;
}

/** `held`: the runner's leases in the database. */
export function compareLeases(held: readonly StoredLease[], named: readonly LeaseName[]): ComparedLeases {
  const once = new Map(named.map(({ attemptId, epoch }) => [attemptId, { attemptId, epoch }]));
  const rows = new Map(held.map((row) => [row.attemptId, row]));
  const ownRow = ({ attemptId, epoch }: LeaseName) => {
    const row = rows.get(attemptId);
    return row?.epoch === epoch ? row : null;
  };
  return {
    named: [...once.values()].map((lease) => ({ ...lease, row: ownRow(lease) })),
    unsent: new Set(held.filter((row) => !once.has(row.attemptId) && row.startedAt === null)),
  };
}
