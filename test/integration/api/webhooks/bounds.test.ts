/** What bounds deliveries: attempts an hour, a day of retries, a week of failures, a month on record. */
import { createHmac } from "node:crypto";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { eventually } from "../../../support/eventually.ts";
import { startWebhookBed, type WebhookBed } from "../../../support/webhook-bed.ts";
import { accepting, refusing } from "../../../support/webhook-receiver.ts";

let bed: WebhookBed;
beforeAll(async () => {
  bed = await startWebhookBed({ name: "webhook-bounds", worker: true, periods: { webhookRetryMs: 200 } });
});
afterAll(() => bed?.close());
afterEach(() => {
  bed.receiver.answer = accepting;
});

const sql = (text: string, values: unknown[]) => bed.server.container.platform.db.query(text, values);

test("past ten thousand requests an hour deliveries wait for the next hour", async () => {
  const hooked = await bed.hooked();
  await sql(
    `update webhooks set window_started_at = now() - interval '1 hour' + interval '3 seconds', window_count = 9999 where id = $1`,
    [hooked.id],
  );
  const beganAt = Date.now();
  for (let count = 0; count < 4; count += 1) await hooked.change();
  await eventually(() => hooked.received().length === 4, { timeoutMs: 20_000 });
  const late = hooked.received().filter(({ at }) => at - beganAt > 2_000);
  expect(late).toHaveLength(3);
  const rows = await sql("select window_count from webhooks where id = $1", [hooked.id]);
  await hooked.settled();
  expect(rows).toMatchObject([{ window_count: expect.any(Number) as number }]);
});

test("a delivery that is not accepted for a day is given up, and can be sent once more", async () => {
  const hooked = await bed.hooked();
  bed.receiver.answer = refusing(500);
  await hooked.change();
  await eventually(() => hooked.received().length > 0);
  await sql(
    "update webhook_deliveries set series_started_at = now() - interval '25 hours' where webhook_id = $1",
    [hooked.id],
  );
  const failed = await eventually(
    async () => {
      const { json } = await bed.send("GET", `${hooked.hook}/deliveries?status=failed`);
      const list = json as unknown as { id: string; error: string; next_attempt_at: unknown }[];
      return list.length === 1 && list[0];
    },
    { timeoutMs: 20_000 },
  );
  expect(failed).toMatchObject({ next_attempt_at: null, error: expect.stringContaining("500") as string });
  bed.receiver.answer = accepting;
  const again = await bed.send("POST", `${hooked.hook}/redeliver`, {});
  expect(again.json).toEqual({ redelivered: 1, more: false });
  await hooked.settled();
  const shown = await bed.send("GET", `${hooked.hook}/deliveries/${failed.id}`);
  expect(shown.json).toMatchObject({ status: "delivered" });
});

test("a webhook that fails for a week is switched off, and its owner is told once", async () => {
  await sql("update users set email = 'ada@example.com' where id = $1", [bed.ada.id]);
  const hooked = await bed.hooked();
  bed.receiver.answer = refusing(500);
  await hooked.change();
  await eventually(() => hooked.received().length > 0);
  await sql("update webhooks set failing_since = now() - interval '8 days' where id = $1", [hooked.id]);
  const off = await eventually(
    async () => {
      const { json } = await bed.send("GET", hooked.hook);
      return json["active"] === false && json;
    },
    { timeoutMs: 20_000 },
  );
  expect(off).toMatchObject({ disabled_reason: "failing" });
  const entries = await sql(
    "select details ->> 'webhook_id' as id from audit_log where action = 'webhook.switch_off'",
    [],
  );
  expect(entries).toEqual([{ id: hooked.id }]);
  const name = hooked.path.slice("/repos/".length);
  const mails = await bed.send("GET", "/admin/mails");
  const subjects = (mails.json as unknown as { subject: string }[]).map(({ subject }) => subject);
  expect(subjects.filter((subject) => subject.includes(name))).toEqual([
    `A webhook of ${name} was switched off`,
  ]);
  bed.receiver.answer = accepting;
  await bed.send("PATCH", hooked.hook, { active: true });
  await hooked.settled();
  expect((await bed.send("GET", hooked.hook)).json).toMatchObject({ active: true, failing_since: null });
});

test("a new secret signs beside the old one", async () => {
  const hooked = await bed.hooked();
  await bed.send("PATCH", hooked.hook, { secret: "another-secret-of-mine" });
  await hooked.change();
  const [one] = await eventually(() => hooked.received().length > 0 && hooked.received());
  const signatures = ["another-secret-of-mine", hooked.secret].map(
    (secret) =>
      `sha256=${createHmac("sha256", secret)
        .update(one?.body ?? "")
        .digest("hex")}`,
  );
  expect(one?.headers["x-svc-signature-256"]).toBe(signatures.join(","));
  await hooked.settled();
});

test("what is over goes after a month, and what was deleted at once", async () => {
  const [kept, deleted] = [await bed.hooked(), await bed.hooked()];
  for (const hooked of [kept, deleted]) {
    await hooked.change();
    await hooked.change();
    await hooked.settled();
  }
  await sql(
    `update webhook_deliveries set created_at = now() - interval '31 days' where webhook_id = $1 and number = 1`,
    [kept.id],
  );
  await bed.send("DELETE", deleted.hook);
  expect((await bed.send("GET", deleted.hook)).status).toBe(404);
  const [task] = bed.server.container.automation.eventRetention.upkeepTasks;
  await task?.run(new AbortController().signal);
  const left = await sql(
    "select webhook_id, number::int from webhook_deliveries where webhook_id = any ($1)",
    [[kept.id, deleted.id]],
  );
  expect(left).toEqual([{ webhook_id: kept.id, number: 2 }]);
  const hooks = await sql("select id from webhooks where id = any ($1)", [[kept.id, deleted.id]]);
  expect(hooks).toEqual([{ id: kept.id }]);
});
