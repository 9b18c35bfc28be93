/** R19: exports of an audit log are cut off anywhere, and the file has each entry once. */
import { createHash } from "node:crypto";
import pg from "pg";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { localRequest } from "@forgeline/launcher/https-client.ts";
import type { AuditExport } from "@forgeline/schemas/audit-exports/resource.ts";
import type { CrashPoint } from "@forgeline/server/platform/crash-point.ts";
import { eventually } from "../../support/eventually.ts";
import { startTestInstance, type TestInstance } from "../../support/instance.ts";
import type { Program } from "../../support/program.ts";

let instance: TestInstance;
let worker: Program;
let database: pg.Client;
const entries = 60_000;

beforeAll(async () => {
  instance = await startTestInstance({ runners: 0 });
  if (!instance.worker) throw new Error("no worker");
  worker = instance.worker;
  database = new pg.Client({ connectionString: instance.database.url });
  await database.connect();
  const { id } = await instance.api<{ id: string }>("POST", "/orgs", { name: "long" });
  await database.query(
    `insert into audit_log (id, organization_id, actor_username, action, target_type, target_id, target_name, details)
     select 'evt_' || lpad(n::text, 26, '0'), $1, 'ada', 'org.settings_change', 'organization', $1, 'long',
       jsonb_build_object('text', repeat('x', 400)) from generate_series(1, $2::int) n`,
    [id, entries],
  );
  for (let linked = 1; linked > 0;)
    linked = (await database.query<{ n: number }>("select link_audit_entries(10000) as n")).rows[0]?.n ?? 0;
});
afterAll(async () => {
  await database?.end();
  await instance?.stop();
});
afterEach(() => {
  if (!worker.isRunning()) worker.start();
});

const path = "/orgs/long/audit-log/exports";
const begin = () =>
  instance.api<AuditExport>("POST", path, { format: "jsonl", action: "org.settings_change" });

async function expectWhole({ id }: AuditExport): Promise<void> {
  const done = await eventually(
    async () => {
      const now = await instance.api<AuditExport>("GET", `${path}/${id}`);
      return (now.status === "done" || now.status === "failed") && now;
    },
    { timeoutMs: 120_000, intervalMs: 200 },
  );
  expect(done).toMatchObject({ status: "done", rows: entries, error: null });
  const { caFile } = instance.certificates;
  const { text } = await localRequest(done.download_url ?? "", { caFile });
  expect(createHash("sha256").update(text).digest("hex")).toBe(done.sha256);
  const ids = text
    .trimEnd()
    .split("\n")
    .map((line) => (JSON.parse(line) as { id: string }).id);
  expect([ids.length, new Set(ids).size]).toEqual([entries, entries]);
}

test.each<CrashPoint>(["export.part-before-noted", "export.file-before-done"])(
  "a worker that dies at %s leaves an export that the next one completes",
  async (point) => {
    await worker.kill();
    worker.start({ FORGELINE_CRASH_AT: point });
    const asked = await begin();
    await eventually(() => !worker.isRunning(), { timeoutMs: 60_000 });
    worker.start();
    await expectWhole(asked);
  },
  180_000,
);

test("a worker that is killed again and again gets there in the end", async () => {
  const asked = await begin();
  for (let round = 0; round < 3; round += 1) {
    await new Promise((resolve) => setTimeout(resolve, 400 + round * 300));
    await worker.kill();
    worker.start();
  }
  await expectWhole(asked);
}, 240_000);
