/**
 * Handles each message of a runner. Every message about a lease is checked by its epoch first; the answer is sent after the
 * commit. Repetitions are acknowledged again.
 */
import type { RunnerMessage } from "@forgeline/schemas/runner-protocol/messages.ts";
import type { StepReport } from "../../domains/pipelines/domain.ts";
import { crashPoint } from "../../platform/crash-point.ts";
import { revoke, settle, verdictOf } from "./lease-refusals.ts";
import type { RunnerSession } from "./session.ts";

type Of<T extends RunnerMessage["t"]> = Extract<RunnerMessage, { t: T }>;
type LeaseReport = Of<"kept" | "started" | "step_started" | "step_ended" | "log_eof" | "done">;

/** Resolves when the message was processed; never rejects. */
export function handleRunnerMessage(
  session: RunnerSession,
  message: RunnerMessage,
): Promise<void> | undefined {
  const { link } = session;
  switch (message.t) {
    case "hello":
      link.nack(message.id, { code: "bad_message", message: "hello was already sent" });
      link.strike("hello was already sent");
      return undefined;
    case "heartbeat":
      return session.inOrder("heartbeat", message.id, () => heartbeat(session, message));
    case "offer_answer":
      return session.inOrder(message.attemptId, message.id, () => answerOffer(session, message));
    case "started":
    case "step_started":
    case "step_ended":
    case "kept":
    case "log_eof":
    case "done":
      return session.inOrder(message.attemptId, message.id, () => report(session, message));
    case "revoked":
      session.forget(message.attemptId);
      link.ack(message.id);
      return undefined;
    case "drain":
      return session.inOrder("drain", message.id, () => drain(session, message));
    case "ack":
    case "nack":
      // Messages of the server are repeated by other means: deadlines, heartbeats, cancels until done, `welcome`.
      return undefined;
  }
}

async function heartbeat(session: RunnerSession, message: Of<"heartbeat">): Promise<void> {
  const { deps, link, runner, instanceId } = session;
  const { load, freeDiskBytes, leases } = message;
  const facts = { runnerId: runner.id, instanceId, load, freeDiskBytes, leases };
  const { current, renewed } = await deps.leases.renew(facts);
  if (!current) return session.recheckConnection();
  if (message.egress) await deps.connections.saveEgress(runner.id, message.egress);
  const { sharedWorkspaces = [] } = message;
  const release =
    sharedWorkspaces.length > 0 ? await deps.leases.releasable(runner.id, sharedWorkspaces) : [];
  link.ackHeartbeat(message.id, release);
  const kept = new Set(renewed.map((lease) => lease.attemptId));
  // In order, since an offer that was just accepted is named here while its lease is still being written.
  for (const lease of leases)
    if (!kept.has(lease.attemptId))
      void session.inOrder(lease.attemptId, message.id, async () => {
        const verdict = await verdictOf(session, lease);
        if (verdict !== "held" && verdict !== "over") revoke(session, lease);
      });
  await deps.leases.announce(renewed);
}

async function drain(session: RunnerSession, message: Of<"drain">): Promise<void> {
  session.offers.setAgentDraining(message.draining);
  await session.deps.connections.setAgentDraining(session.runner.id, message.draining);
  session.link.ack(message.id);
  session.deps.dispatcher.wake();
}

async function answerOffer(session: RunnerSession, message: Of<"offer_answer">): Promise<void> {
  const outcome = await session.offers.answer(message);
  if (outcome.kind === "not_offered") return settle(session, message, outcome.verdict);
  if (outcome.kind === "rejected") return session.link.ack(message.id);
  const { material, spec } = outcome.lease;
  session.hold(material, spec);
  session.leases.get(message.attemptId)?.logger.info("job attempt leased");
  session.link.ack(message.id);
  session.link.send({ t: "lease", spec });
}

async function report(session: RunnerSession, message: LeaseReport): Promise<void> {
  const known = session.leases.get(message.attemptId);
  const verdict = known?.epoch === message.epoch ? "held" : await verdictOf(session, message);
  if (verdict === "held") await take(session, message);
  else await settle(session, message, verdict);
}

async function take(session: RunnerSession, message: LeaseReport): Promise<void> {
  if (message.t === "done") return takeResult(session, message);
  if (message.t === "log_eof") return takeEof(session, message);
  const taken = await takeEvent(session, message);
  if (taken === "stale") return settleUnheld(session, message);
  if (taken === "taken") return session.link.ack(message.id);
  session.link.nack(message.id, { code: "bad_message", message: "The step does not exist in this job." });
  session.link.strike("made a step up");
}

async function takeEvent(
  session: RunnerSession,
  message: Of<"kept" | "started" | "step_started" | "step_ended">,
): Promise<StepReport> {
  const { leases } = session.deps;
  const toServer = (timeMs: number) => timeMs + session.clockOffsetMs;
  if (message.t === "step_started")
    return leases.stepStarted({ ...message, timeMs: toServer(message.timeMs) });
  if (message.t === "step_ended")
    return leases.stepEnded({ ...message, step: shiftTimes(message.step, session.clockOffsetMs) });
  const isHeld =
    message.t === "kept"
      ? await leases.kept(message)
      : await leases.started({ ...message, timeMs: toServer(message.timeMs) });
  return isHeld ? "taken" : "stale";
}

/** The lease ended between the check and the transaction. */
async function settleUnheld(session: RunnerSession, message: LeaseReport): Promise<void> {
  const verdict = await verdictOf(session, message);
  await settle(session, message, verdict === "held" ? "stale" : verdict);
}

async function takeEof(session: RunnerSession, message: Of<"log_eof">): Promise<void> {
  const { link, flow, deps } = session;
  if (flow.attemptOf(message.streamId) !== message.attemptId) {
    link.nack(message.id, { code: "unknown_lease", message: "The stream does not exist in this lease." });
    return;
  }
  await flow.settled(message.attemptId);
  const answer = await deps.logs.eof(message.streamId, message);
  if ("expected" in answer) {
    link.nack(message.id, {
      code: "logs_missing",
      message: "Log bytes before the end are missing.",
      missing: {
        [message.streamId]: answer.expected,
      },
    });
    return;
  }
  crashPoint("log.ended-before-ack");
  link.ack(message.id);
}

async function takeResult(session: RunnerSession, message: Of<"done">): Promise<void> {
  const { link, flow, deps } = session;
  const lease = session.leases.get(message.attemptId);
  await flow.settled(message.attemptId);
  if (lease) lease.finishing = true;
  const steps = message.result.steps.map((step) => shiftTimes(step, session.clockOffsetMs));
  const { attemptId, epoch } = message;
  let answer;
  try {
    answer = await deps.leases.done({ attemptId, epoch, result: { ...message.result, steps } });
  } finally {
    if (lease) lease.finishing = false;
  }
  if (answer === "stale") return settleUnheld(session, message);
  if (answer !== "recorded") {
    link.nack(message.id, {
      code: "logs_missing",
      message: "The result cannot be recorded until all log bytes have arrived.",
      missing: answer.missing,
    });
    return;
  }
  crashPoint("done.recorded-before-ack");
  link.ack(message.id);
  if (lease) {
    const seconds = (performance.now() - lease.leasedAt) / 1000;
    const { status, reason } = message.result;
    deps.metrics.jobDuration.observe({ outcome: status }, seconds);
    lease.logger.info({ status, reason, seconds }, "job attempt ended");
  }
  session.forget(attemptId);
}

function shiftTimes<T extends { startedAtMs: number | null; finishedAtMs: number | null }>(
  step: T,
  offsetMs: number,
): T {
  const shift = (timeMs: number | null) => (timeMs === null ? null : timeMs + offsetMs);
  return { ...step, startedAtMs: shift(step.startedAtMs), finishedAtMs: shift(step.finishedAtMs) };
}
