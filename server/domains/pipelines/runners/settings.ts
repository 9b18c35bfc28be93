/**
 * The intervals and bounds of the runner hub. Operators set the four that matter (`server/config/config.ts`); the others
 * follow from them, so that a test that wants short leases gets short everything.
 */
export interface RunnerIntervals {
  heartbeatMs: number;
  unreachableMs: number;
  reclaimMs: number;
  offerMs: number;
  /** Not an interval, but also set by operators: the maximum size of one step's log. */
  stepLogBytes: number;
}

export interface RunnerSettings extends RunnerIntervals {
  /** A slot gets no offers for this long after one was left unanswered. */
  slotPauseMs: number;
  /** The same after `full` or `disk`. */
  rejectPauseMs: number;
  /** A connection without any message for this long is closed. */
  silentMs: number;
  /** A connection that has not said hello by then is closed. */
  helloMs: number;
  /** A runner seen within this time counts as alive when another instance shows its credential. */
  aliveMs: number;
  /** How often the queue is checked without a notification. */
  queuePollMs: number;
  /** How often leases, offers and step limits are swept, and this server's up-time is marked. */
  sweepMs: number;
  /** A span without a mark of any server counts as down-time from this length on. */
  uptimeGapMs: number;
  /** How much later than the runner the server enforces step and silence limits. */
  limitSlackMs: number;
  cancelGraceMs: number;
  /** How often a cancel is repeated until the job is done. */
  cancelRepeatMs: number;
  /** How long a result waits for missing log bytes. */
  logsWaitMs: number;
  /** Runners reconnect within this time after a server said goodbye. */
  byeSpreadMs: number;
  windowBytesPerStream: number;
  windowBytes: number;
  /**
   * Budget for messages of one runner: so much at once, and so much per second; `server/edges/runners/budget.ts` has the
   * prices.
   */
  budget: { burst: number; perSecond: number };
}

export const defaultIntervals: RunnerIntervals = {
  heartbeatMs: 10_000,
  unreachableMs: 30_000,
  reclaimMs: 90_000,
  offerMs: 10_000,
  stepLogBytes: 256 * 1024 * 1024,
};

export function runnerSettings(intervals: RunnerIntervals = defaultIntervals): RunnerSettings {
  const { heartbeatMs } = intervals;
  const sweepMs = Math.max(200, heartbeatMs / 5);
  return {
    ...intervals,
    slotPauseMs: heartbeatMs * 6,
    rejectPauseMs: Math.min(500, heartbeatMs / 5),
    silentMs: heartbeatMs * 3.5,
    helloMs: 10_000,
    aliveMs: heartbeatMs * 1.5,
    queuePollMs: 2_000,
    sweepMs,
    uptimeGapMs: sweepMs * 4,
    limitSlackMs: heartbeatMs / 2,
    cancelGraceMs: 10_000,
    cancelRepeatMs: Math.min(5_000, heartbeatMs),
    logsWaitMs: 600_000,
    byeSpreadMs: 3_000,
    windowBytesPerStream: 1024 * 1024,
    windowBytes: 8 * 1024 * 1024,
    budget: { burst: 20_000, perSecond: 1_000 },
  };
}
