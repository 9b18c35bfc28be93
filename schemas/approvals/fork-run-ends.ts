/** What becomes of the wait for an approval of a run whose commit comes from a fork; events name it. */
export const forkRunEnds = ["approved", "rejected", "expired", "superseded", "cancelled"] as const;
export type ForkRunEnd = (typeof forkRunEnds)[number];
