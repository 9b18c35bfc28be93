/** A long audit log of a test instance, and exports of it, whose parts a test may kill. */
import { createHash } from "node:crypto";
import pg from "pg";
import { expect } from "vitest";
import { localRequest } from "@forgeline/launcher/https-client.ts";
import type { AuditExport } from "@forgeline/schemas/audit-exports/resource.ts";
import { eventually } from "./eventually.ts";
import type { TestInstance } from "./instance.ts";
import type { CutOffWork } from "./survive-outage.ts";

export interface LongLog {
  /** An export of these entries. */
  begin(): Promise<AuditExport>;
  /** Resolves when it is done; its file has each entry once. */
  expectWhole(made: AuditExport): Promise<void>;
}

export async function fillLongLog(instance: TestInstance, name: string, entries: number): Promise<LongLog> {
  const path = `/orgs/${name}/audit-log/exports`;
  const { id } = await instance.api<{ id: string }>("POST", "/orgs", { name });
  const database = new pg.Client({ connectionString: instance.database.url });
  await database.connect();
  await database.query(
    `insert into audit_log (id, organization_id, actor_username, action, target_type, target_id, target_name, details)
     select 'evt_' || lpad(n::text, 6, '0') || left(md5($1), 20), $1, 'ada', 'org.settings_change', 'organization', $1, $3,
       jsonb_build_object('text', repeat('x', 400)) from generate_series(1, $2::int) n`,
    [id, entries, name],
  );
  for (let linked = 1; linked > 0;)
    linked = (await database.query<{ n: number }>("select link_audit_entries(10000) as n")).rows[0]?.n ?? 0;
  await database.end();
  return {
    begin: () => instance.api<AuditExport>("POST", path, { format: "jsonl", action: "org.settings_change" }),
    async expectWhole({ id: exportId }) {
      const done = await eventually(
        async () => {
          const now = await instance.api<AuditExport>("GET", `${path}/${exportId}`);
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
    },
  };
}

let cutOff = 0;

/** While a file is written. */
export async function cutOffExport(instance: TestInstance): Promise<CutOffWork> {
  const log = await fillLongLog(instance, `long-and-killed-${cutOff++}`, 40_000);
  let made: AuditExport;
  return {
    begin: async () => void (made = await log.begin()),
    expectWhole: () => log.expectWhole(made),
  };
}
