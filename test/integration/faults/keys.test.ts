/** The worker dies while the instance's key is replaced: the next one goes on, and no value is lost or left behind. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { KeyRotation, InstanceKeys } from "@forgeline/schemas/keys/resource.ts";
import type { Mail } from "@forgeline/schemas/mails/resource.ts";
import type { CrashPoint } from "@forgeline/server/platform/crash-point.ts";
import { eventually } from "../../support/eventually.ts";
import { startTestInstance, type TestInstance } from "../../support/instance.ts";
import type { Program } from "../../support/program.ts";
import { isFull } from "../../support/size.ts";

const secretMails = 3;
let instance: TestInstance;
let worker: Program;

beforeAll(async () => {
  instance = await startTestInstance({ runners: 0, env: { FORGELINE_SIGN_UP: "open" } });
  if (!instance.worker) throw new Error("no worker");
  worker = instance.worker;
  for (let n = 0; n < secretMails; n += 1)
    await instance.api("POST", "/users", {
      username: `user${n}`,
      password: "a long enough password",
      email: `user${n}@example.com`,
    });
  await instance.api("POST", "/repos", { name: "code" });
  await instance.api("POST", `/repos/${instance.adminName}/code/webhooks`, {
    url: "https://ci.example.com/hook",
  });
});
afterAll(() => instance?.stop());

const mails = async () =>
  (await instance.api<Mail[]>("GET", "/admin/mails")).map(({ to, text }) => [to, text]);

const points: readonly CrashPoint[] = ["key.batch-encrypted-before-next", "key.added-before-noted"];
// One of them in each `npm test`: worker-points.test.ts.
test.runIf(isFull).each(points)("a worker that dies at %s", { timeout: 90_000 }, async (point) => {
  const before = await mails();
  const { keys: earlier } = await instance.api<InstanceKeys>("GET", "/admin/keys");
  await worker.kill();
  worker.start({ FORGELINE_CRASH_AT: point });
  const { id } = await instance.api<KeyRotation>("POST", "/admin/key-rotations");
  await eventually(() => !worker.isRunning(), { timeoutMs: 60_000 });
  expect(await mails()).toEqual(before);
  worker.start();
  const done = await eventually(
    async () => {
      const now = await instance.api<KeyRotation>("GET", `/admin/key-rotations/${id}`);
      return now.state === "done" && now;
    },
    { timeoutMs: 60_000 },
  );
  const { keys } = await instance.api<InstanceKeys>("GET", "/admin/keys");
  expect(keys).toHaveLength(earlier.length + 1);
  expect(keys[0]).toMatchObject({
    id: done.key_id,
    state: "current",
    encrypted: { mails: secretMails, webhooks: 1 },
  });
  for (const { encrypted } of keys.slice(1))
    expect(Object.values(encrypted).every((count) => count === 0)).toBe(true);
  expect(done).toMatchObject({ encrypted: { mails: secretMails, webhooks: 1 }, unreadable: 0 });
  expect(await mails()).toEqual(before);
});
