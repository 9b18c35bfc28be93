/** The intervals and bounds of the runner hub; all can be set down to a second or less, for tests. */
import { z } from "zod";

const ms = (fallback: number, text: string) => z.coerce.number().int().min(1).default(fallback).describe(text);

export const RunnerSettings = z.object({
  heartbeatMs: ms(10_000, "How often runners send a heartbeat."),
  unreachableMs: ms(30_000, "Silence after which a lease is shown as unreachable."),
  reclaimMs: ms(90_000, "Silence, in server up-time, after which a lease is taken away."),
  offerDeadlineMs: ms(10_000, "How long a runner may think about an offer."),
  slotPauseMs: ms(60_000, "How long a slot gets no offers after one was left unanswered."),
  silentMs: ms(35_000, "A runner connection without a heartbeat for this long is closed."),
  helloMs: ms(10_000, "A connection that has not said hello by then is closed."),
  queuePollMs: ms(2_000, "How often the queue is looked at without being woken."),
  sweepMs: ms(2_000, "How often leases, offers and step limits are swept, and this server's up-time is marked."),
  uptimeGapMs: ms(8_000, "Without any mark of a server for this long, the time counts as down-time."),
  limitSlackMs: ms(5_000, "How much later than the runner the server enforces step and silence limits."),
  cancelGraceMs: ms(10_000, "Time between TERM and KILL."),
  cancelRepeatMs: ms(5_000, "How often a cancel is repeated until the job is done."),
  logsWaitMs: ms(600_000, "How long a result waits for missing log bytes."),
  byeSpreadMs: ms(3_000, "Runners reconnect within this time after a server said goodbye."),
  windowBytesPerStream: ms(1024 * 1024, "Unacknowledged log bytes that one stream may have under way."),
  windowBytes: ms(8 * 1024 * 1024, "Unacknowledged log bytes that one connection may have under way."),
});
export type RunnerSettings = z.infer<typeof RunnerSettings>;

export const defaultRunnerSettings: RunnerSettings = RunnerSettings.parse({});
