/** Exports of audit logs: files of each format say what the API says, whole, at an address that expires. */
import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { AuditExport } from "@forgeline/schemas/audit-exports/resource.ts";
import type { AuditEntry } from "@forgeline/schemas/audit/resource.ts";
import { recordAudit } from "@forgeline/server/domains/operation/audit/record.ts";
import { systemActor } from "@forgeline/server/platform/access/actor.ts";
import {
  startApiServer,
  type ApiAnswer,
  type ApiServer,
  type TestPerson,
} from "../../../support/api-server.ts";
import { eventually } from "../../../support/eventually.ts";
import { startWorker } from "../../../support/failing-work.ts";

let server: ApiServer;
let ada: TestPerson;
let orgId: string;
let stopWorker: () => Promise<void>;
beforeAll(async () => {
  server = await startApiServer({ env: { FORGELINE_TASK_QUEUE: `test-audit-exports-${process.pid}` } });
  stopWorker = await startWorker(server);
  ada = await server.person("ada", { isAdmin: true });
  orgId = (await send("POST", "/orgs", { name: "acme" })).json.id;
  for (const name of ["plain", '=cmd|"calc"', "Zoë, \n“two lines”"]) await record(name);
});
afterAll(async () => {
  await stopWorker?.();
  await server?.stop();
});

const send = (method: string, path: string, body?: unknown, person = ada): Promise<ApiAnswer> =>
  server.api(method, path, { token: person.token, ...(body === undefined ? {} : { body }) });
const exports = "/orgs/acme/audit-log/exports";

async function record(name: string): Promise<void> {
  await server.container.platform.db.transaction((tx) =>
    recordAudit(
      tx,
      { ...systemActor, username: name },
      {
        action: "org.settings_change",
        target: { type: "organization", id: orgId, name },
        details: { text: name, nested: { number: 1, list: [null, true] } },
      },
    ),
  );
}

async function ended(at: string, asked: ApiAnswer): Promise<AuditExport> {
  expect(asked.status, asked.text).toBe(202);
  return eventually(
    async () => {
      const { json } = await send("GET", `${at}/${asked.json.id}`);
      return (json.status === "done" || json.status === "failed") && json;
    },
    { timeoutMs: 30_000 },
  );
}

const make = async (body: object, at = exports) => ended(at, await send("POST", at, body));

/** Without a token. */
async function download({ download_url: url }: AuditExport): Promise<ApiAnswer> {
  return server.api("GET", (url ?? "").slice(server.baseUrl.length));
}

/** All entries, oldest first. */
async function entries(query = ""): Promise<AuditEntry[]> {
  return (await send("GET", `/orgs/acme/audit-log?per_page=100${query}`)).json.toReversed();
}

test.each(["json", "jsonl"] as const)("a file of %s has what the API shows, oldest first", async (format) => {
  const before = await entries();
  const done = await make({ format });
  const file = await download(done);
  expect(file.status).toBe(200);
  const found = (
    format === "json"
      ? file.json
      : file.text
          .trimEnd()
          .split("\n")
          .map((line) => JSON.parse(line))
  ) as AuditEntry[];
  // What the request itself has recorded comes at the end.
  expect(found.slice(0, before.length)).toEqual(before);
  expect(found.at(-1)?.action).toBe("audit.export");
  expect(done).toMatchObject({ status: "done", progress: 1, rows: found.length, format, error: null });
  expect(done.sha256).toBe(createHash("sha256").update(file.text).digest("hex"));
  expect(done.bytes).toBe(Buffer.byteLength(file.text));
  expect(file.headers["content-disposition"]).toBe(
    `attachment; filename="audit-log-acme-${done.id}.${format}"`,
  );
});

test("a file of csv has a line of titles, and no cell that a spreadsheet takes for a formula", async () => {
  const done = await make({ format: "csv", action: "org.settings_change" });
  const { text, headers } = await download(done);
  expect(headers["content-type"]).toBe("text/csv; charset=utf-8");
  const [titles, ...rows] = parseCsv(text);
  expect(titles).toEqual([
    "id",
    "seq",
    "hash",
    "timestamp",
    "actor_id",
    "actor_username",
    "ip_address",
    "action",
    "target_type",
    "target_id",
    "target_name",
    "details",
    "user_agent",
    "geo",
    "request_id",
  ]);
  const shown = await entries("&action=org.settings_change");
  expect(rows.map(([id, seq, hash, timestamp]) => [id, Number(seq), hash, timestamp])).toEqual(
    shown.map(({ id, seq, hash, timestamp }) => [id, seq, hash, timestamp]),
  );
  expect(rows.map((row) => row[10])).toEqual(["plain", `'=cmd|"calc"`, "Zoë, \n“two lines”"]);
  expect(rows.map((row) => JSON.parse(row[11] ?? ""))).toEqual(shown.map(({ details }) => details));
  expect(rows[0]?.[4]).toBe("");
});

/** RFC 4180. */
function parseCsv(text: string): string[][] {
  return [...text.matchAll(/((?:"(?:[^"]|"")*"|[^",\r\n]*)(?:,(?:"(?:[^"]|"")*"|[^",\r\n]*))*)\r\n/g)].map(
    ([, line = ""]) =>
      [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g)].map(([, quoted, bare]) =>
        quoted === undefined ? (bare ?? "") : quoted.replaceAll('""', '"'),
      ),
  );
}

test("filters choose, also nothing, and are told", async () => {
  const some = await make({ format: "jsonl", q: "calc", action: "org.*", since: "2026-01-01" });
  const filters = { q: "calc", action: "org.*", since: "2026-01-01" };
  expect(some).toMatchObject({ rows: 1, filters });
  expect(JSON.parse((await download(some)).text).target.name).toBe('=cmd|"calc"');
  const empty = await make({ format: "json", actor: "nobody-here" });
  expect([empty.rows, (await download(empty)).json]).toEqual([0, []]);
  const refused = await send("POST", exports, { format: "xml", action: "%" });
  expect(refused.json.errors.map(({ field }: { field: string }) => field)).toEqual(["format", "action"]);
});

test("the instance's log is exported by administrators, and nobody sees another log's exports", async () => {
  const bob = await server.person("bob");
  const done = await make({ format: "jsonl", action: "auth.*" }, "/admin/audit-log/exports");
  expect(done.url).toBe(`${server.baseUrl}/admin/audit-log/exports/${done.id}`);
  expect((await send("GET", `${exports}/${done.id}`)).status).toBe(404);
  expect((await send("DELETE", `${exports}/${done.id}`)).status).toBe(404);
  expect((await send("POST", exports, { format: "csv" }, bob)).status).toBe(404);
  expect((await send("POST", "/admin/audit-log/exports", { format: "csv" }, bob)).status).toBe(403);
  expect((await send("GET", "/admin/audit-log/exports")).json.map(({ id }: AuditExport) => id)).toEqual([
    done.id,
  ]);
});

test("an address works for 15 minutes, for its file alone, and until the file is removed", async () => {
  const done = await make({ format: "json" });
  const other = await make({ format: "json" });
  const minutes = (new Date(done.expires_at ?? 0).getTime() - Date.now()) / 60_000;
  expect(minutes).toBeGreaterThan(14);
  expect(minutes).toBeLessThanOrEqual(15);
  const path = (done.download_url ?? "").slice(server.baseUrl.length);
  const swapped = path.replace(done.id, other.id);
  expect((await server.api("GET", swapped)).status).toBe(404);
  const later = path.replace(/expires=(\d+)/, (_, at: string) => `expires=${Number(at) + 900}`);
  expect((await server.api("GET", later)).status).toBe(404);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 16 * 60_000 });
  const expired = await server.api("GET", path).finally(() => vi.useRealTimers());
  expect([expired.status, expired.json.message]).toEqual([
    403,
    "This address has expired; request a new one.",
  ]);
  expect((await send("DELETE", `${exports}/${done.id}`)).status).toBe(204);
  expect((await server.api("GET", path)).status).toBe(404);
  expect(await stored(done.id)).toEqual([]);
});

async function stored(id: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of server.container.platform.objects.list(`audit-exports/${id}/`)) keys.push(key);
  return keys;
}

test("a log has three exports at a time; old files go, and what no row knows", async () => {
  const { db, objects } = server.container.platform;
  const done = await make({ format: "json" });
  expect(await stored(done.id)).toEqual([`audit-exports/${done.id}/file`]);
  await db.query(
    `insert into audit_exports (id, organization_id, format, filters)
     select 'exp_' || lpad(n::text, 26, '0'), $1, 'csv', '{}' from generate_series(1, 3) n`,
    [orgId],
  );
  const over = await send("POST", exports, { format: "csv" });
  expect([over.status, over.json.message]).toEqual([
    409,
    "At most 3 exports run at a time. Wait for one, or delete it.",
  ]);
  await db.query("update audit_exports set finished_at = now() - interval '8 days' where id = $1", [done.id]);
  const orphan = "exp_01jzzzzzzzzzzzzzzzzzzzzzzz";
  await objects.put(`audit-exports/${orphan}/part-0`, Buffer.from("x"));
  const [task] = server.container.automation.auditExportUpkeep.upkeepTasks;
  await task?.run(new AbortController().signal);
  expect([await stored(done.id), await stored(orphan)]).toEqual([[], []]);
  expect((await send("GET", `${exports}/${done.id}`)).json).toMatchObject({
    status: "done",
    download_url: null,
    expires_at: null,
    kept_until: null,
  });
});
