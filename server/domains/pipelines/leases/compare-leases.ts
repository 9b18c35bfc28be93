/** Which leases a runner keeps when it connects again. Pure. */
import type { StoredLease, LeaseName } from "./leases.ts";

export interface ComparedLeases {
  /** Each that the runner named, once, however often it was named; `row` is null where it is not its own (any more). */
  named: (LeaseName & { row: StoredLease | null })[];
  /** The lease was made but its message was lost with the connection; one that had begun is the sweeper's. */
  unsent: ReadonlySet<StoredLease>;
}

/** `held`: what the runner has by the database. */
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
