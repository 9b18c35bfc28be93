/**
 * Row 44 of security.md with made-up messages: a runner says whatever the protocol knows about another runner's lease, before and after
 * its end, and asks for what is in it. Nothing of the attempt changes, and it learns nothing.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { LeaseSpec } from "@forgeline/schemas/runner-protocol/lease.ts";
import { counted } from "../../support/counted.ts";
import { eventually } from "../../support/eventually.ts";
import { success, type ProtocolRunner, type SendableMessage } from "../../support/protocol-runner.ts";
import { seededRandom } from "../../support/seeded-random.ts";
import { seed, size } from "../../support/size.ts";
import { hubFixture, type HubFixture, type HubServer } from "./fixture.ts";

const messages = size(120, 5_000);
/** A runner that says much of leases that are not its own is sent away before long. */
const messagesOfAStranger = 12;

const random = seededRandom(seed);
const oneOf = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!;

let hub: HubFixture;
let server: HubServer;
beforeAll(async () => {
  hub = await hubFixture();
  server = await hub.server();
});
afterAll(() => hub.close());

async function leased(label: string) {
  const key = await hub.runner();
  const runner = hub.connect(server, key, { labels: [label] });
  await runner.hello();
  const { attemptId } = await hub.queue({ labels: [label] });
  return { runner, attemptId, spec: await runner.acceptNext() };
}

/** All that is stored of an attempt, but for when its lease was renewed. */
async function stored(attemptId: string): Promise<unknown> {
  return hub.db.query(
    `select to_jsonb(a) - 'lease_renewed_at' as attempt,
       (select jsonb_agg(s order by s.id) from log_streams s where s.attempt_id = a.id) as streams,
       (select jsonb_agg(s order by s.position) from steps s where s.attempt_id = a.id) as steps
     from job_attempts a where a.id = $1`,
    [attemptId],
  );
}

function foreignMessage({ attemptId, epoch, streams }: LeaseSpec): SendableMessage {
  const lease = { attemptId, epoch: oneOf([epoch, epoch, epoch + 1, Math.max(1, epoch - 1)]) };
  const step = { position: 0, status: "failed", reason: "exit:1", message: "forged", exitCode: 1 } as const;
  const totals = { bytes: 7, lines: 1, sha256: "0".repeat(64), droppedBytes: 0, droppedLines: 0 };
  const result = { ...success, status: oneOf(["success", "failed", "error", "cancelled"] as const) };
  return oneOf<SendableMessage>([
    { t: "started", ...lease, timeMs: Date.now() },
    { t: "step_started", ...lease, position: 0, name: "forged", timeMs: Date.now() },
    { t: "step_ended", ...lease, step: { ...step, startedAtMs: 1, finishedAtMs: 2 } },
    { t: "log_eof", ...lease, streamId: oneOf(streams).id, ...totals },
    { t: "done", ...lease, result },
    { t: "revoked", ...lease },
    { t: "offer_answer", ...lease, accept: oneOf([true, false]), reject: null },
    { t: "heartbeat", load: 0, freeDiskBytes: 1, freeSlots: 1, leases: [lease] },
  ]);
}

/** Says so much about the lease and leaves; everything that the server answered. */
async function stranger(spec: LeaseSpec, count: number): Promise<ProtocolRunner["received"]> {
  const key = await hub.runner();
  const runner = hub.connect(server, key, { labels: ["nothing"] });
  const { attemptId, epoch, streams } = spec;
  const held = { attemptId, epoch, state: "running" as const, streams: {} };
  const welcome = await runner.hello(random() < 0.5 ? [held] : []);
  for (let n = 0; n < count; n += 1) {
    if (random() < 0.15) runner.log(oneOf(streams).channel, 0, "forged\n");
    runner.say(foreignMessage(spec));
  }
  // Of all that was said before, this one's answer comes last; or none does.
  const last = runner.say({ t: "drain", draining: true });
  await eventually(
    () => runner.closed !== undefined || runner.received.some((said) => said.t === "ack" && said.id === last),
  );
  runner.vanish();
  return [welcome, ...runner.received];
}

async function pester(spec: LeaseSpec): Promise<{ said: number; told: number; written: number }> {
  let [said, told] = [0, 0];
  for (; said < messages / 2; said += messagesOfAStranger) {
    const answers = await stranger(spec, messagesOfAStranger);
    const text = JSON.stringify(answers);
    if (text.includes(spec.token) || answers.some((answer) => answer.t === "lease" || answer.t === "offer"))
      told += 1;
    if (answers.some((answer) => answer.t === "welcome" && answer.leases.some(({ keep }) => keep))) told += 1;
  }
  const rows = await hub.db.query<{ count: number }>(
    `select count(distinct target_id)::int as count from audit_log
     where action = 'runner.foreign_lease' and details->>'attempt' = $1`,
    [spec.attemptId],
  );
  return { said, told, written: rows[0]?.count ?? 0 };
}

test(`what a runner says of another one's lease changes and shows nothing (seed ${seed})`, async (context) => {
  const { runner, attemptId, spec } = await leased("own");
  await runner.ask({ t: "started", attemptId, epoch: spec.epoch, timeMs: Date.now() });
  const [leaseBefore] = await hub.db.query("select lease_renewed_at from job_attempts where id = $1", [
    attemptId,
  ]);
  const running = await stored(attemptId);
  const during = await pester(spec);
  expect(await stored(attemptId)).toEqual(running);
  // Nor does anybody else keep a lease alive.
  expect(await hub.db.query("select lease_renewed_at from job_attempts where id = $1", [attemptId])).toEqual([
    leaseBefore,
  ]);

  await runner.endStreams(spec);
  expect(await runner.done(spec)).toMatchObject({ t: "ack" });
  const ended = await stored(attemptId);
  const after = await pester(spec);
  expect(await stored(attemptId)).toEqual(ended);
  // Its own runner says everything again, and something else.
  for (let n = 0; n < messages / 4; n += 1) runner.say(foreignMessage(spec));
  await runner.ask({ t: "drain", draining: true }).catch(() => undefined);
  expect(await stored(attemptId)).toEqual(ended);

  const strangers = Math.ceil(messages / 2 / messagesOfAStranger);
  counted(context, {
    "messages of strangers": during.said + after.said,
    "strangers who learned something": during.told + after.told,
    "strangers in the audit log": during.written,
  });
  expect(during.told + after.told).toBe(0);
  expect(during.written).toBe(strangers);
});
