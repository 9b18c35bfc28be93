/** Which connected runner is offered what, and what becomes of an offer; the queue is a list. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createDispatcher } from "@forgeline/server/domains/pipelines/leases/dispatcher.ts";
import type { OfferTarget } from "@forgeline/server/domains/pipelines/leases/runner-slots.ts";
import type { LeaseVerdict } from "@forgeline/server/domains/pipelines/leases/lease-verdict.ts";
import type { Lease } from "@forgeline/server/domains/pipelines/leases/service.ts";
import { runnerSettings } from "@forgeline/server/domains/pipelines/runners/settings.ts";
import { createLogger } from "@forgeline/server/platform/logger.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const settings = runnerSettings();
const noMetric = { observe: () => undefined };

/** Each job has one label; a runner takes those whose label is among its own. */
function setUp(queue: string[], verdict: LeaseVerdict = "unknown") {
  const state = {
    queue,
    claims: 0,
    answers: [] as string[],
    returned: [] as string[],
    holds: true,
    apart: [] as string[],
  };
  const labelsOf = new Map<string, string[]>();
  let listener = () => undefined as void;
  const dispatcher = createDispatcher({
    logger: createLogger({ name: "test", level: "silent" }),
    settings,
    metrics: {
      claim: noMetric,
      queueWait: noMetric,
      offers: { inc: ({ answer }) => void state.answers.push(answer) },
    },
    leases: {
      async claim({ runnerId }) {
        state.claims += 1;
        const at = state.queue.findIndex((label) => labelsOf.get(runnerId)?.includes(label));
        const [label] = at < 0 ? [] : state.queue.splice(at, 1);
        if (label === undefined) return undefined;
        const attemptId = `att_${state.claims}`;
        const place = { repositoryId: "repo_1", ownerId: "usr_1", placementId: null, shares: false };
        return { attemptId, epoch: 1, ...place, image: "i", labels: [label], waitedMs: 1 };
      },
      async giveBack({ attemptId }) {
        state.returned.push(attemptId);
        return true;
      },
      accept: async () => (state.holds ? ({} as Lease) : undefined),
      apart: async () => state.apart,
      judge: async () => ({ verdict, cancel: null, keepOpenMs: null }),
      onQueue(added) {
        listener = added;
        return () => (listener = () => undefined);
      },
    },
  });
  const connect = (
    id: string,
    changes: Partial<ReturnType<OfferTarget["state"]>> & { isOpen?: boolean } = {},
  ) => {
    const offered: string[] = [];
    const connection = {
      labels: ["docker"],
      mustName: [],
      groupId: null,
      capacity: 2,
      paused: false,
      draining: false,
      ...changes,
    };
    labelsOf.set(id, connection.labels);
    const offers = dispatcher.offersTo({
      runner: { id, name: id, repositoryId: null, organizationId: null },
      hello: { instanceId: "one", capacity: 100, draining: false },
      isOpen: () => changes.isOpen ?? true,
      state: () => connection,
      countLeases: () => 0,
      offer: ({ attemptId }) => void offered.push(attemptId),
    });
    return { offers, offered, connection };
  };
  return { state, dispatcher, connect, queued: () => listener() };
}

const settle = () => vi.advanceTimersByTimeAsync(0);

it("the runner with the most room goes first, and none gets more than it has room for", async () => {
  const { state, dispatcher, connect } = setUp(Array.from({ length: 9 }, () => "docker"));
  const [small, large] = [connect("small", { capacity: 2 }), connect("large", { capacity: 4 })];
  dispatcher.enter(small.offers);
  dispatcher.enter(large.offers);
  await settle();
  expect([small.offered.length, large.offered.length]).toEqual([2, 4]);
  expect(large.offered.slice(0, 2)).toEqual(["att_1", "att_2"]);
  expect(state.claims).toBe(6);
});

it("of a kind that nothing fits one claim is made, and the others are still asked for", async () => {
  const { state, dispatcher, connect } = setUp(["gpu"]);
  const idle = ["a", "b", "c"].map((id) => connect(id, { capacity: 9 }));
  const gpu = connect("d", { labels: ["gpu"] });
  for (const { offers } of [...idle, gpu]) dispatcher.enter(offers);
  await settle();
  expect(gpu.offered.length).toBe(1);
  const before = state.claims;
  dispatcher.wake();
  await settle();
  expect(state.claims - before).toBe(2);
});

it("a runner that is paused, draining or gone is asked for nothing", async () => {
  const { state, dispatcher, connect } = setUp(["docker"]);
  for (const [id, changes] of Object.entries({
    paused: { paused: true },
    draining: { draining: true },
    gone: { isOpen: false },
  }))
    dispatcher.enter(connect(id, changes).offers);
  const { offers } = connect("by itself");
  offers.setAgentDraining(true);
  dispatcher.enter(offers);
  await settle();
  expect(state.claims).toBe(0);
});

it("a newer connection of a runner takes the place of the older, which then cannot take it away", async () => {
  const { dispatcher, connect } = setUp(["docker", "docker"]);
  const [older, newer] = [connect("a", { capacity: 1 }), connect("a", { capacity: 1 })];
  dispatcher.enter(older.offers);
  await settle();
  dispatcher.enter(newer.offers);
  dispatcher.leave(older.offers);
  await settle();
  expect([older.offered.length, newer.offered.length]).toEqual([1, 1]);
});

it("looks when something was queued and now and then, until it is closed", async () => {
  const { state, dispatcher, connect, queued } = setUp([]);
  dispatcher.enter(connect("a").offers);
  await settle();
  dispatcher.start();
  queued();
  await settle();
  expect(state.claims).toBe(2);
  await vi.advanceTimersByTimeAsync(settings.queuePollMs);
  expect(state.claims).toBe(3);
  await dispatcher.close();
  queued();
  await vi.advanceTimersByTimeAsync(3 * settings.queuePollMs);
  expect(state.claims).toBe(3);
});

it("an offer left unanswered goes back at its deadline, and its slot rests", async () => {
  const { state, dispatcher, connect } = setUp(["docker"]);
  const { offers, offered } = connect("a", { capacity: 1 });
  dispatcher.enter(offers);
  await settle();
  const [attemptId = ""] = offered;
  await vi.advanceTimersByTimeAsync(settings.offerMs - 1);
  expect(state.returned).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect([state.returned, state.answers, offers.epochOf(attemptId)]).toEqual([
    [attemptId],
    ["silence"],
    undefined,
  ]);
  expect(offers.freeSlots()).toBe(0);
  state.queue.push("docker");
  await vi.advanceTimersByTimeAsync(settings.slotPauseMs);
  expect(offered.length).toBe(2);
});

it("an accepted offer becomes a lease; its deadline is over", async () => {
  const { state, dispatcher, connect } = setUp(["docker"]);
  const { offers } = connect("a");
  dispatcher.enter(offers);
  await settle();
  const answer = { attemptId: "att_1", epoch: 1, accept: true, reject: null };
  expect((await offers.answer(answer)).kind).toBe("leased");
  await vi.advanceTimersByTimeAsync(settings.offerMs);
  expect([state.returned, state.answers]).toEqual([[], ["accept"]]);
});

it.each([
  ["full", settings.rejectPauseMs, 1],
  ["disk", settings.heartbeatMs + 1, 0],
])("after a refusal as %s it gets none for %i ms", async (reject, ms, free) => {
  const { state, dispatcher, connect } = setUp(["docker"]);
  const { offers } = connect("a");
  dispatcher.enter(offers);
  await settle();
  const refusal = { attemptId: "att_1", epoch: 1, accept: false, reject };
  expect(await offers.answer(refusal)).toEqual({ kind: "rejected" });
  expect([state.returned, state.answers, offers.freeSlots()]).toEqual([["att_1"], [reject], free]);
  await vi.advanceTimersByTimeAsync(ms);
  expect(offers.freeSlots()).toBe(2);
});

it("an answer about another epoch, or about no offer, is judged and changes nothing", async () => {
  const { state, dispatcher, connect } = setUp(["docker"], "stale");
  const { offers } = connect("a");
  dispatcher.enter(offers);
  await settle();
  for (const [attemptId, epoch] of [
    ["att_1", 2],
    ["att_9", 1],
  ] as const)
    expect(await offers.answer({ attemptId, epoch, accept: true, reject: null })).toEqual({
      kind: "not_offered",
      verdict: "stale",
    });
  expect([state.answers, offers.epochOf("att_1")]).toEqual([[], 1]);
});

it("an offer that was taken away before its answer is judged", async () => {
  const { state, dispatcher, connect } = setUp(["docker"], "stale");
  const { offers } = connect("a");
  dispatcher.enter(offers);
  await settle();
  state.holds = false;
  const answer = { attemptId: "att_1", epoch: 1, accept: true, reject: null };
  expect(await offers.answer(answer)).toEqual({ kind: "not_offered", verdict: "stale" });
});

it("the offers of a connection that is gone go back, and their deadlines end", async () => {
  const { state, dispatcher, connect } = setUp(["docker", "docker"]);
  const { offers } = connect("a");
  dispatcher.enter(offers);
  await settle();
  dispatcher.leave(offers);
  await offers.returnAll();
  await vi.advanceTimersByTimeAsync(settings.offerMs);
  expect([state.returned, state.answers]).toEqual([["att_1", "att_2"], []]);
});
