import { expect, it } from "vitest";
import { createCalm } from "@forgeline/runner/engine/docker/calm.ts";

it("lets what is being prepared go first, and what begins meanwhile too", async () => {
  const calm = createCalm({ quietMs: 20, patienceMs: 60_000 });
  const order: string[] = [];
  const first = Promise.withResolvers<void>();
  const second = Promise.withResolvers<void>();
  const firstWork = calm.during(() => first.promise);
  const cleaning = calm.whenCalm().then(() => order.push("cleaned"));
  const secondWork = calm.during(() => second.promise);
  first.resolve();
  await firstWork;
  order.push("first");
  second.resolve();
  await secondWork;
  order.push("second");
  await cleaning;
  expect(order).toEqual(["first", "second", "cleaned"]);
});

it("goes on after its patience, although something is always being prepared", async () => {
  const calm = createCalm({ quietMs: 5, patienceMs: 20 });
  const never = Promise.withResolvers<void>();
  const work = calm.during(() => never.promise);
  await calm.whenCalm();
  never.resolve();
  await work;
});

it("counts what failed as over", async () => {
  const calm = createCalm({ quietMs: 1, patienceMs: 60_000 });
  await expect(calm.during(() => Promise.reject(new Error("no image")))).rejects.toThrow("no image");
  await calm.whenCalm();
});
