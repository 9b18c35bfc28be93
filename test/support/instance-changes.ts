/** What must not be lost when a part of the instance is killed: events of a webhook, and values while the key is replaced. */
import { expect } from "vitest";
import type { KeyRotation } from "@forgeline/schemas/keys/resource.ts";
import { eventually } from "./eventually.ts";
import { changeSteadily, hookInstance, problemsAt, type InstanceWebhook } from "./instance-webhook.ts";
import type { TestInstance } from "./instance.ts";
import type { CutOffWork } from "./survive-outage.ts";
import type { Receiver } from "./webhook-receiver.ts";

/** While events are told and values are encrypted with another key. */
export async function cutOffChanges(instance: TestInstance, receiver: Receiver): Promise<CutOffWork> {
  const hook = await hookInstance(instance, receiver);
  const changing = changeSteadily(hook);
  let rotation = "";
  return {
    async begin() {
      await eventually(() => changing.count() > 10);
      ({ id: rotation } = await instance.api<KeyRotation>("POST", "/admin/key-rotations"));
    },
    async expectWhole() {
      const before = changing.count();
      await eventually(() => changing.count() > before + 10, { timeoutMs: 60_000 });
      await expectArrived(hook, await changing.stop());
      const done = await rotated(instance, rotation);
      expect(done).toMatchObject({ unreadable: 0 });
      // The webhook's address and secret are encrypted with the new key now.
      await hook.change("after the rotation");
      await eventually(() => problemsAt(hook, ["after the rotation"]).length === 0, { timeoutMs: 30_000 });
    },
  };
}

async function expectArrived(hook: InstanceWebhook, acknowledged: readonly string[]): Promise<void> {
  const isDone = async () => problemsAt(hook, acknowledged).length === 0 && (await hook.waiting()) === 0;
  await eventually(isDone, { timeoutMs: 60_000 }).catch(() => undefined);
  expect(problemsAt(hook, acknowledged)).toEqual([]);
}

function rotated(instance: TestInstance, id: string): Promise<KeyRotation> {
  return eventually(
    async () => {
      const now = await instance.api<KeyRotation>("GET", `/admin/key-rotations/${id}`);
      return now.state === "done" && now;
    },
    { timeoutMs: 90_000 },
  );
}
