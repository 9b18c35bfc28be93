/** Time for humans and records. Decisions about leases use database time, waits the monotonic clock. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };
