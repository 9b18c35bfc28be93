/** Which job has a shared workspace, and when it may go. */
import { pino } from "pino";
import { expect, test } from "vitest";
import { createSharedWorkspaces } from "@forgeline/runner/job/shared-workspaces.ts";

function setUp(workspaces: [string, boolean][] = []) {
  const removed: string[] = [];
  const state = { workspaces: new Map(workspaces), saves: 0, save: async () => void (state.saves += 1) };
  let fails = false;
  const engine = {
    async removeWorkspace(id: string) {
      if (fails) throw new Error("away");
      removed.push(id);
    },
  };
  const shared = createSharedWorkspaces({ engine, state, logger: pino({ level: "silent" }) });
  return { shared, state, removed, fail: (does: boolean) => (fails = does) };
}

const never = new AbortController().signal;
const turns = () => new Promise((resolve) => setImmediate(resolve));

test("jobs have it one after another, in their order; others do not wait", async () => {
  const { shared } = setUp();
  const events: string[] = [];
  const ends = new Map<string, () => void>();
  const job = (name: string, id: string | null) =>
    shared.inTurn(id === null ? null : { id, isNew: true }, never, async () => {
      events.push(name);
      await new Promise<void>((resolve) => ends.set(name, resolve));
    });
  const all = [job("a", "w"), job("b", "w"), job("c", "w"), job("other", "x"), job("none", null)];
  await turns();
  expect(events).toEqual(["none", "a", "other"].sort((x, y) => events.indexOf(x) - events.indexOf(y)));
  ends.get("a")?.();
  await turns();
  expect(events.at(-1)).toBe("b");
  ends.get("b")?.();
  await turns();
  expect(events.at(-1)).toBe("c");
  for (const end of ends.values()) end();
  await Promise.all(all);
});

test("a job that is stopped does not wait, and a job that fails makes way", async () => {
  const { shared } = setUp();
  const stopped = new AbortController();
  const first = Promise.withResolvers<void>();
  const begun: string[] = [];
  const one = shared.inTurn({ id: "w", isNew: true }, never, () => first.promise);
  const two = shared.inTurn({ id: "w", isNew: true }, stopped.signal, async () => void begun.push("two"));
  const three = shared.inTurn({ id: "w", isNew: true }, never, async () => void begun.push("three"));
  stopped.abort();
  await two;
  expect(begun).toEqual(["two"]);
  first.reject(new Error("broken"));
  await expect(one).rejects.toThrow("broken");
  await three;
  expect(begun).toEqual(["two", "three"]);
});

test("the first job begins with nothing, even after one that did not come to its first step", async () => {
  const { shared, state, removed } = setUp();
  expect(await shared.open({ id: "w", isNew: true })).toEqual({ id: "w", isFilled: false });
  expect(await shared.open({ id: "w", isNew: true })).toEqual({ id: "w", isFilled: false });
  expect(removed).toEqual(["w"]);
  await shared.filled("w");
  expect(await shared.open({ id: "w", isNew: false })).toEqual({ id: "w", isFilled: true });
  expect([...state.workspaces]).toEqual([["w", true]]);
});

test("what jobs have worked in and is not here is not begun anew", async () => {
  const { shared } = setUp([["half", false]]);
  await expect(shared.open({ id: "gone", isNew: false })).rejects.toThrow("no longer on the runner");
  await expect(shared.open({ id: "half", isNew: false })).rejects.toThrow("no longer on the runner");
});

test("it goes when it is released, unless a job has it; what cannot be removed is asked about again", async () => {
  const { shared, removed, fail } = setUp([["w", true]]);
  const job = Promise.withResolvers<void>();
  const running = shared.inTurn({ id: "w", isNew: false }, never, () => job.promise);
  await shared.release(["w", "unknown"]);
  expect([removed, shared.ids()]).toEqual([[], ["w"]]);
  job.resolve();
  await running;
  await turns();
  fail(true);
  await shared.releaseAll();
  expect(shared.ids()).toEqual(["w"]);
  await turns();
  fail(false);
  await shared.releaseAll();
  expect([removed, shared.ids()]).toEqual([["w"], []]);
});
