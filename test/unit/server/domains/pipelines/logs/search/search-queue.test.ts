import { expect, test } from "vitest";
import type { Subject } from "@forgeline/server/platform/access/subject.ts";
import { createSearchQueue } from "@forgeline/server/domains/pipelines/logs/search/search-queue.ts";

const user = (key: string): Subject => ({ key, kind: "user", accountId: key });
const never = new AbortController().signal;

function setUp(limits: Partial<Parameters<typeof createSearchQueue>[0]> = {}) {
  let refused = 0;
  const queue = createSearchQueue(
    { atOnce: 2, maxWaiting: 2, waitMs: 60_000, ...limits },
    () => (refused += 1),
  );
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const search = (name: string, key = name, signal = never) =>
    queue.run(user(key), signal, () => {
      begun.push(name);
      return new Promise<void>((resolve) => ends.set(name, resolve));
    });
  return { queue, begun, ends, search, refused: () => refused };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test("one search of each caller at a time; others go first meanwhile", async () => {
  const { begun, ends, search, queue } = setUp();
  const all = [search("ada 1", "ada"), search("ada 2", "ada"), search("bob")];
  await turn();
  expect(begun).toEqual(["ada 1", "bob"]);
  expect(queue.counts()).toEqual({ running: 2, waiting: 1 });
  ends.get("bob")?.();
  await turn();
  expect(begun).toEqual(["ada 1", "bob"]);
  ends.get("ada 1")?.();
  await turn();
  expect(begun).toEqual(["ada 1", "bob", "ada 2"]);
  ends.get("ada 2")?.();
  await Promise.all(all);
  expect(queue.counts()).toEqual({ running: 0, waiting: 0 });
});

test("refuses who would wait behind too many, and who waited too long", async () => {
  const { ends, search, refused } = setUp({ atOnce: 1, maxWaiting: 1, waitMs: 1 });
  const first = search("a");
  const second = search("b");
  await expect(search("c")).rejects.toMatchObject({ code: "rate_limit_exceeded" });
  await expect(second).rejects.toMatchObject({ code: "rate_limit_exceeded" });
  expect(refused()).toBe(2);
  ends.get("a")?.();
  await first;
});

test("forgets who went away, and gives a turn back that ended in an error", async () => {
  const { begun, search, queue } = setUp({ atOnce: 1 });
  const gone = new AbortController();
  const failing = queue.run(user("x"), never, () => turn().then(() => Promise.reject(new Error("broken"))));
  const waiting = search("y", "y", gone.signal);
  gone.abort();
  await expect(waiting).rejects.toMatchObject({ code: "unavailable" });
  await expect(failing).rejects.toThrow("broken");
  void search("z");
  await turn();
  expect(begun).toEqual(["z"]);
});
