/** What must not be lost when a part of the instance is killed: events of a webhook, and values while the key is replaced. */
import { expect } from "vitest";
import type { KeyRotation } from "@forgeline/schemas/keys/resource.ts";
import { eventually } from "./eventually.ts";
import { changeSteadily, hookInstance, problemsAt } from "./instance-webhook.ts";
import type { TestInstance } from "./instance.ts";
import type { Receiver } from "./webhook-receiver.ts";

export async function expectNothingLost(
  instance: TestInstance,
  receiver: Receiver,
  kill: () => Promise<void>,
): Promise<void> {
  const hook = await hookInstance(instance, receiver);
  const changing = changeSteadily(hook);
  await eventually(() => changing.count() > 10);
  const { id } = await instance.api<KeyRotation>("POST", "/admin/key-rotations");
  await kill();
  const before = changing.count();
  await eventually(() => changing.count() > before + 10, { timeoutMs: 60_000 });
  const acknowledged = await changing.stop();
  await eventually(async () => problemsAt(hook, acknowledged).length === 0 && (await hook.waiting()) === 0, {
    timeoutMs: 60_000,
  }).catch(() => undefined);
  expect(problemsAt(hook, acknowledged)).toEqual([]);
  const done = await eventually(
    async () => {
      const now = await instance.api<KeyRotation>("GET", `/admin/key-rotations/${id}`);
      return now.state === "done" && now;
    },
    { timeoutMs: 90_000 },
  );
  expect(done).toMatchObject({ unreadable: 0 });
  // The webhook's address and secret are encrypted with the new key now.
  await hook.change("after the rotation");
  await eventually(() => problemsAt(hook, ["after the rotation"]).length === 0, { timeoutMs: 30_000 });
}
