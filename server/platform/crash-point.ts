/**
 * Named places at which a test may kill the process (`reliability.md` section 4). Nothing happens unless
 * `FORGELINE_CRASH_AT` names the point; tests set it for a child process of their own.
 */
export const crashPoints = [
  "offer.stored-before-sent",
  "lease.stored-before-sent",
  "log.ended-before-ack",
  "done.recorded-before-ack",
  "outbox.delivered-before-removed",
  "run.changed-before-answer",
  "log.stored-before-ack",
  "log.segment-stored-before-row",
  "push.after-intent",
  "push.after-refs-before-record",
  "push.after-record-before-answer",
  "mirror.fetched-before-judged",
  "mirror.refs-moved-before-record",
  "mirror.recorded-before-finished",
  "fork.packed-before-judged",
  "fork.moved-before-finished",
  "push_mirror.sent-before-recorded",
  "push_mirror.recorded-before-finished",
  "schedule.run-before-committed",
  "export.part-before-noted",
  "export.file-before-done",
  "stream.sent-before-noted",
  "audit.expired-before-commit",
  "webhook.fanned-out-before-sent",
  "webhook.sent-before-recorded",
  "key.added-before-noted",
  "key.batch-encrypted-before-next",
] as const;
export type CrashPoint = (typeof crashPoints)[number];

export function crashPoint(name: CrashPoint): void {
  if (process.env["FORGELINE_CRASH_AT"] === name) process.kill(process.pid, "SIGKILL");
}
