/** In which order the parts of a process start, drain and close. */
import { expect, it } from "vitest";
import { joinConcurrently, joinLifecycles, type Lifecycle } from "@forgeline/server/platform/lifecycle.ts";

function recorder() {
  const said: string[] = [];
  const part = (name: string): Required<Lifecycle> => ({
    start: () => void said.push(`start ${name}`),
    async drain() {
      said.push(`drain ${name}`);
      await Promise.resolve();
      said.push(`drained ${name}`);
    },
    async close() {
      said.push(`close ${name}`);
      await Promise.resolve();
      said.push(`closed ${name}`);
    },
  });
  return { said, part };
}

it("starts in order, and drains and closes in reverse, one after the other", async () => {
  const { said, part } = recorder();
  const all = joinLifecycles([part("a"), {}, part("b")]);
  all.start();
  await all.drain();
  await all.close();
  expect(said).toEqual([
    "start a",
    "start b",
    "drain b",
    "drained b",
    "drain a",
    "drained a",
    "close b",
    "closed b",
    "close a",
    "closed a",
  ]);
});

it("those that do not stand on each other drain and close at the same time", async () => {
  const { said, part } = recorder();
  const all = joinConcurrently([part("a"), {}, part("b")]);
  all.start();
  await all.drain();
  await all.close();
  expect(said).toEqual([
    "start a",
    "start b",
    "drain a",
    "drain b",
    "drained a",
    "drained b",
    "close a",
    "close b",
    "closed a",
    "closed b",
  ]);
});
