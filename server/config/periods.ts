/**
 * How long a process goes by what it knows before it looks again by itself. News comes sooner; whoever wants to see that it
 * does makes these long.
 */
export interface Periods {
  /** What was read of a token is believed for so long. */
  tokenCacheMs: number;
  /** Whether viewers of logs may still read is asked so often. */
  viewerCheckMs: number;
  /** A share of a rate limit that nobody uses is kept for so long. */
  idleAllotmentMs: number;
  /** The server says that an upload of LFS lives, and hears whether its place is still its own, so often. */
  keepUploadMs: number;
  /** A webhook that failed is tried again after so long at first. */
  webhookRetryMs: number;
  /** The target of an audit log that failed is tried again after so long at first. */
  auditStreamRetryMs: number;
  /** A new data key becomes current after so long: until then every process has seen it. */
  keyLeadMs: number;
  /** An old data key is kept for so long at least. */
  keepOldKeysMs: number;
}

export const defaultPeriods: Periods = {
  tokenCacheMs: 3_000,
  viewerCheckMs: 4_000,
  idleAllotmentMs: 2_000,
  keepUploadMs: 10_000,
  webhookRetryMs: 5_000,
  auditStreamRetryMs: 5_000,
  keyLeadMs: 10_000,
  keepOldKeysMs: 24 * 60 * 60 * 1000,
};
