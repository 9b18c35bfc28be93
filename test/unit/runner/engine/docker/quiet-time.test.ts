import { expect, it } from "vitest";
import { createQuietTime } from "@forgeline/runner/engine/docker/quiet-time.ts";

it("lets what is being prepared go first, and what begins meanwhile too", async () => {
  const quietTime = createQuietTime({ quietMs: 20, patienceMs: 60_000 });
  const order: string[] = [];
  const first = Promise.withResolvers<void>();
  const second = Promise.withResolvers<void>();
  const firstWork = quietTime.during(() => first.promise);
  const cleaning = quietTime.whenQuiet().then(() => order.push("cleaned"));
  const secondWork = quietTime.during(() => second.promise);
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
  const quietTime = createQuietTime({ quietMs: 5, patienceMs: 20 });
  const never = Promise.withResolvers<void>();
  const work = quietTime.during(() => never.promise);
  await quietTime.whenQuiet();
  never.resolve();
  await work;
});

it("counts what failed as over", async () => {
  const quietTime = createQuietTime({ quietMs: 1, patienceMs: 60_000 });
  await expect(quietTime.during(() => Promise.reject(new Error("no image")))).rejects.toThrow("no image");
  await quietTime.whenQuiet();
});
