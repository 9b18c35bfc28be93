/**
 * The offers of one runner's connection: claimed from the queue, turned into leases when it accepts, put back when it refuses,
 * does not answer or disconnects. After a failed offer it gets none for a while.
 */
import { crashPoint } from "../../../platform/crash-point.ts";
import type { Logger } from "../../../platform/logger.ts";
import type { RunnerMetrics } from "../runners/metrics.ts";
import type { RunnerSettings } from "../runners/settings.ts";
import type { Offer } from "./claims.ts";
import type { LeaseVerdict } from "./lease-verdict.ts";
import type { LeaseName } from "./leases.ts";
import { createRunnerSlots, type OfferTarget } from "./runner-slots.ts";
import type { Lease, LeaseService } from "./service.ts";

export interface RunnerOffersDeps {
  logger: Logger;
  leases: Pick<LeaseService, "claim" | "giveBack" | "accept" | "judge">;
  settings: Pick<RunnerSettings, "offerMs" | "slotPauseMs" | "rejectPauseMs" | "heartbeatMs">;
  metrics: Pick<RunnerMetrics, "claim" | "queueWait" | "offers">;
}

export interface OfferAnswer extends LeaseName {
  accept: boolean;
  reject: string | null;
}

export type OfferOutcome =
  | { kind: "leased"; lease: Lease }
  | { kind: "rejected" }
  /** There is no such offer (any more): it may be a repetition, which the verdict decides. */
  | { kind: "not_offered"; verdict: LeaseVerdict };

export interface RunnerOffers {
  readonly runnerId: string;
  /** Runners with the same labels for the same repositories, by the same group, match the same jobs. */
  kind(): string;
  freeSlots(): number;
  setAgentDraining(draining: boolean): void;
  /** Takes a job from the queue and offers it. False: nothing matches. */
  offerNext(): Promise<boolean>;
  /** The epoch of an offer that waits for its answer; undefined: there is none. */
  epochOf(attemptId: string): number | undefined;
  /** Safe to call again with the same answer. */
  answer(answer: OfferAnswer): Promise<OfferOutcome>;
  /** Gives all back, for a connection that is gone. */
  returnAll(): Promise<void>;
}

/** `onFree` is called when the runner may be able to take an offer again. */
export function createRunnerOffers(
  deps: RunnerOffersDeps,
  target: OfferTarget,
  onFree: () => void,
): RunnerOffers {
  const { leases, settings, metrics, logger } = deps;
  const { runner } = target;
  const pending = new Map<string, { offer: Offer; timer: NodeJS.Timeout }>();
  const slots = createRunnerSlots(target, onFree);

  async function claim(): Promise<Offer | undefined> {
    const before = performance.now();
    const { instanceId } = target.hello;
    const scope = runner.organizationId ?? runner.repositoryId ?? "";
    const offer = await leases.claim({
      runnerId: runner.id,
      instanceId,
      deadlineMs: settings.offerMs,
      scope,
    });
    metrics.claim.observe((performance.now() - before) / 1000);
    return offer;
  }

  async function giveUp(offer: Offer): Promise<void> {
    const { attemptId } = offer;
    if (pending.get(attemptId)?.offer.epoch !== offer.epoch) return;
    pending.delete(attemptId);
    metrics.offers.inc({ answer: "silence" });
    logger.warn({ runner_id: runner.id, attempt_id: attemptId }, "offer left unanswered; slot paused");
    slots.restOne(settings.slotPauseMs);
    await leases.giveBack(offer).catch((error: Error) =>
      // The sweeper gives it back by its deadline.
      logger.warn({ attempt_id: attemptId, error: error.message }, "offer could not be given back"),
    );
  }

  async function judge({ attemptId, epoch }: LeaseName): Promise<LeaseVerdict> {
    return (await leases.judge({ runnerId: runner.id, attemptId, epoch })).verdict;
  }

  async function accept({ attemptId, epoch }: LeaseName): Promise<OfferOutcome> {
    const lease = await leases
      .accept({ attemptId, epoch, runnerId: runner.id })
      .finally(() => pending.delete(attemptId));
    if (!lease) return { kind: "not_offered", verdict: await judge({ attemptId, epoch }) };
    crashPoint("lease.stored-before-sent");
    metrics.offers.inc({ answer: "accept" });
    return { kind: "leased", lease };
  }

  async function reject({ attemptId, epoch, reject: reason }: OfferAnswer): Promise<OfferOutcome> {
    metrics.offers.inc({ answer: reason ?? "reject" });
    if (reason === "draining") slots.setAgentDraining(true);
    else if (reason === "disk") slots.restAll(settings.heartbeatMs);
    else slots.restOne(settings.rejectPauseMs);
    if ((await judge({ attemptId, epoch })) === "unknown") await leases.giveBack({ attemptId, epoch });
    return { kind: "rejected" };
  }

  return {
    runnerId: runner.id,
    kind() {
      const { labels, mustName, groupId } = target.state();
      return JSON.stringify([runner.repositoryId, runner.organizationId, groupId, mustName, labels]);
    },
    freeSlots: () => slots.free(pending.size),
    setAgentDraining: slots.setAgentDraining,
    async offerNext() {
      const offer = await claim();
      if (!offer) return false;
      crashPoint("offer.stored-before-sent");
      if (!target.isOpen()) {
        await leases.giveBack(offer);
        return true;
      }
      metrics.queueWait.observe(offer.waitedMs / 1000);
      const timer = setTimeout(() => void giveUp(offer), settings.offerMs).unref();
      pending.set(offer.attemptId, { offer, timer });
      target.offer(offer, settings.offerMs);
      return true;
    },
    epochOf: (attemptId) => pending.get(attemptId)?.offer.epoch,
    async answer(answer) {
      const waiting = pending.get(answer.attemptId);
      if (waiting?.offer.epoch !== answer.epoch) return { kind: "not_offered", verdict: await judge(answer) };
      clearTimeout(waiting.timer);
      if (answer.accept) return accept(answer);
      pending.delete(answer.attemptId);
      return reject(answer);
    },
    async returnAll() {
      const offers = [...pending.values()];
      pending.clear();
      for (const { offer, timer } of offers) {
        clearTimeout(timer);
        await leases.giveBack(offer);
      }
    },
  };
}
