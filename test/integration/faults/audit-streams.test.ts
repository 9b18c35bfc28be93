/** R19: whoever sends an audit log is killed anywhere, and the target has each entry, in order. In each `npm test`: worker-points.test.ts, outages.test.ts. */
import pg from "pg";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { readBed } from "../../support/bed.ts";
import { eventually } from "../../support/eventually.ts";
import { cutOffStream, streamInstance, type InstanceStream } from "../../support/instance-audit-stream.ts";
import { expectAllSurvive } from "../../support/survive-outage.ts";
import { startTestInstance, type TestInstance } from "../../support/instance.ts";
import type { Program } from "../../support/program.ts";
import { startReceiver, type Receiver } from "../../support/webhook-receiver.ts";
import { isFull } from "../../support/size.ts";

let instance: TestInstance;
let receiver: Receiver;
let worker: Program;
let database: pg.Client;

beforeAll(async () => {
  receiver = await startReceiver();
  const { caFile } = (await readBed()).certificates;
  const env = { FORGELINE_OUTBOUND_ALLOW: "127.0.0.1", FORGELINE_OUTBOUND_CA_FILE: caFile };
  instance = await startTestInstance({ runners: 0, servers: 2, env });
  if (!instance.worker) throw new Error("no worker");
  worker = instance.worker;
  database = new pg.Client({ connectionString: instance.database.url });
  await database.connect();
});
afterAll(async () => {
  await database?.end();
  await instance?.stop();
  await receiver?.close();
});
afterEach(() => {
  if (!worker.isRunning()) worker.start();
});

async function fill({ orgId }: InstanceStream, entries: number): Promise<void> {
  await database.query(
    `insert into audit_log (id, organization_id, actor_username, action, target_type, target_id, target_name)
     select 'evt_' || lpad(n::text, 6, '0') || left(md5($1), 20), $1, 'ada', 'repo.create', 'organization', $1, 'long'
     from generate_series(1, $2::int) n`,
    [orgId, entries],
  );
}

test.runIf(isFull)(
  "a worker that dies after a batch was accepted, and before that is noted",
  { timeout: 120_000 },
  async () => {
    await worker.kill();
    const stream = await streamInstance(instance, receiver);
    worker.start({ FORGELINE_CRASH_AT: "stream.sent-before-noted" });
    await eventually(() => !worker.isRunning(), { timeoutMs: 60_000 });
    const sent = stream.received().length;
    expect(sent).toBeGreaterThan(0);
    worker.start();
    await stream.expectWhole();
    expect(stream.received().length).toBeGreaterThan(sent);
  },
);

// At other places than the crash points, by chance: with `npm run hostile`.
test.runIf(isFull)(
  "a worker that is killed again and again in a long log",
  { timeout: 240_000 },
  async () => {
    const stream = await streamInstance(instance, receiver);
    await fill(stream, 30_000);
    for (let round = 1; round <= 3; round += 1) {
      const before = stream.received().length;
      await eventually(() => stream.received().length > before + 20, { timeoutMs: 60_000 });
      await worker.kill();
      worker.start();
    }
    await stream.expectWhole();
  },
);

test.runIf(isFull)("one of two servers dies while entries are recorded", { timeout: 180_000 }, async () =>
  expectAllSurvive([await cutOffStream(instance, receiver)], async () => {
    await instance.servers[1]?.program.kill();
  }),
);
