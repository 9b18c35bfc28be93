/**
 * Offers: claimed for the runner with the most room, given back when refused or left unanswered. One dispatch runs at
 * a time in a process; other processes do the same on the same queue.
 */
import type { RunnerMessage } from "@forgeline/schemas/runner-protocol/messages.ts";
import type { Offer } from "../../domains/pipelines/domain.ts";
import { crashPoint } from "../../platform/crash-point.ts";
import { refuse, verdictOf } from "./lease-refusals.ts";
import type { RunnerHubDeps, RunnerSession } from "./session.ts";

export interface Dispatcher {
  /** Looks at the queue soon; calls while it looks make it look once more. */
  wake(): void;
  /** Resolves when no look is under way. */
  idle(): Promise<void>;
}

export function createDispatcher(deps: RunnerHubDeps, sessions: () => Iterable<RunnerSession>): Dispatcher {
  let again = false;
  let running: Promise<void> | undefined;
  const run = async () => {
    while (again) {
      again = false;
      await offerRound(deps, sessions).catch((error: Error) =>
        deps.logger.warn({ error: error.message }, "the queue could not be read"),
      );
    }
    running = undefined;
  };
  return {
    wake() {
      again = true;
      running ??= run();
    },
    idle: () => running ?? Promise.resolve(),
  };
}

/** Offers until every runner is full or nothing fits it. */
async function offerRound(deps: RunnerHubDeps, sessions: () => Iterable<RunnerSession>): Promise<void> {
  const nothingFor = new Set<string>();
  const kindOf = (session: RunnerSession) =>
    `${session.runner.repositoryId ?? ""} ${session.connection.labels.join("\n")}`;
  for (;;) {
    let roomiest: RunnerSession | undefined;
    let room = 0;
    for (const session of sessions()) {
      const free = session.freeSlots();
      if (free > room && !nothingFor.has(kindOf(session))) [roomiest, room] = [session, free];
    }
    if (!roomiest) return;
    if (!(await offerOne(deps, roomiest))) nothingFor.add(kindOf(roomiest));
  }
}

async function offerOne(deps: RunnerHubDeps, session: RunnerSession): Promise<boolean> {
  const { runner, instanceId, link } = session;
  const deadlineMs = deps.settings.offerMs;
  const before = performance.now();
  const offer = await deps.leases.claim({ runnerId: runner.id, instanceId, deadlineMs });
  deps.metrics.claim.observe((performance.now() - before) / 1000);
  if (!offer) return false;
  crashPoint("offer.stored-before-sent");
  if (!link.isOpen()) {
    await deps.leases.giveBack(offer);
    return true;
  }
  deps.metrics.queueWait.observe(offer.waitedMs / 1000);
  session.offers.set(offer.attemptId, {
    offer,
    timer: setTimeout(() => void giveUp(session, offer), deadlineMs).unref(),
  });
  const { attemptId, epoch, repositoryId, image, labels } = offer;
  link.send({ t: "offer", attemptId, epoch, repositoryId, image, labels, deadlineMs });
  return true;
}

async function giveUp(session: RunnerSession, offer: Offer): Promise<void> {
  if (session.offers.get(offer.attemptId)?.offer.epoch !== offer.epoch) return;
  session.offers.delete(offer.attemptId);
  const { deps, runner } = session;
  deps.metrics.offers.inc({ answer: "silence" });
  deps.logger.warn(
    { runner_id: runner.id, attempt_id: offer.attemptId },
    "offer left unanswered; slot paused",
  );
  session.restSlot(deps.settings.slotPauseMs);
  await deps.leases.giveBack(offer).catch((error: Error) =>
    // The sweeper gives it back by its deadline.
    deps.logger.warn({ attempt_id: offer.attemptId, error: error.message }, "offer could not be given back"),
  );
}

/** Gives back all offers of a connection that is gone. */
export async function returnAllOffers(session: RunnerSession): Promise<void> {
  const offers = [...session.offers.values()];
  session.offers.clear();
  for (const { offer, timer } of offers) {
    clearTimeout(timer);
    await session.deps.leases.giveBack(offer);
  }
}

type OfferAnswer = Extract<RunnerMessage, { t: "offer_answer" }>;

/** An answer about no offer of this connection is only judged: it may be a repetition. */
export async function answerOffer(session: RunnerSession, message: OfferAnswer): Promise<void> {
  const pending = session.offers.get(message.attemptId);
  if (pending?.offer.epoch !== message.epoch) return judge(session, message);
  clearTimeout(pending.timer);
  if (message.accept) return accept(session, message);
  session.offers.delete(message.attemptId);
  return reject(session, message);
}

async function judge(session: RunnerSession, message: OfferAnswer): Promise<void> {
  const verdict = await verdictOf(session, message);
  if (verdict === "held" || verdict === "over") session.link.ack(message.id);
  else await refuse(session, message, verdict);
}

async function accept(session: RunnerSession, message: OfferAnswer): Promise<void> {
  const { deps, runner, link } = session;
  const { attemptId, epoch } = message;
  const leased = await deps.leases
    .accept({ attemptId, epoch, runnerId: runner.id })
    .finally(() => session.offers.delete(attemptId));
  if (leased) {
    crashPoint("lease.stored-before-sent");
    deps.metrics.offers.inc({ answer: "accept" });
    session.hold(leased.material, leased.spec);
    session.leases.get(attemptId)?.logger.info("job attempt leased");
    link.ack(message.id);
    link.send({ t: "lease", spec: leased.spec });
    return;
  }
  await judge(session, message);
}

async function reject(session: RunnerSession, message: OfferAnswer): Promise<void> {
  const { deps, link } = session;
  deps.metrics.offers.inc({ answer: message.reject ?? "reject" });
  if (message.reject === "draining") session.agentDraining = true;
  else if (message.reject === "disk") session.restAll(deps.settings.heartbeatMs);
  else session.restSlot(deps.settings.rejectPauseMs);
  if ((await verdictOf(session, message)) === "unknown") await deps.leases.giveBack(message);
  link.ack(message.id);
}
