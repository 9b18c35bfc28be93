/** R19: exporting a long audit log, against reading the same rows as JSON in one statement. */
import { readFile } from "node:fs/promises";
import type { AuditExport } from "@forgeline/schemas/audit-exports/resource.ts";
import { eventually } from "../../test/support/eventually.ts";
import { fillLog } from "../long-log.ts";
import type { Bench, Scenario, ScenarioResult } from "../scenario.ts";
import { countOf } from "../size.ts";
import { nowMs } from "../statistics.ts";

const name = "exported-log";
const atLeast = 100_000;
const path = `/orgs/${name}/audit-log/exports`;

async function exportAs({ client, instance }: Bench, format: AuditExport["format"]) {
  const beganMs = nowMs();
  let peakBytes = 0;
  const asked = await client.call<AuditExport>("POST", path, { format });
  const done = await eventually(
    async () => {
      peakBytes = Math.max(peakBytes, await residentBytes(instance.worker?.pid()));
      const now = await client.call<AuditExport>("GET", `${path}/${asked.id}`);
      if (now.status === "failed") throw new Error(now.error ?? "it failed");
      return now.status === "done" && now;
    },
    { timeoutMs: 300_000, intervalMs: 200 },
  );
  return { rows: done.rows, bytes: done.bytes ?? 0, ms: nowMs() - beganMs, peakBytes };
}

async function residentBytes(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
}

async function bareMs({ database }: Bench, id: string): Promise<number> {
  const beganMs = nowMs();
  await database.query(
    "select sum(octet_length(row_to_json(e)::text)) from audit_log e where organization_id = $1",
    [id],
  );
  return nowMs() - beganMs;
}

async function run(bench: Bench): Promise<ScenarioResult> {
  const id = await fillLog(bench, name);
  const bare = await bareMs(bench, id);
  const before = await residentBytes(bench.instance.worker?.pid());
  const figures: ScenarioResult["figures"] = [];
  for (const format of ["jsonl", "csv"] as const) {
    const { rows, bytes, ms, peakBytes } = await exportAs(bench, format);
    const perSecond = (rows / ms) * 1000;
    const grown = Math.max(0, peakBytes - before) / 1024 / 1024;
    figures.push({
      what: `${format}: ${countOf(bench.size.rows)} entries and more to a stored file`,
      value: `${countOf(Math.round(perSecond))} a second (${(bytes / 1024 / 1024).toFixed(0)} MiB in ${(ms / 1000).toFixed(1)} s; ${(ms / bare).toFixed(1)} × one statement; the worker grew by ${grown.toFixed(0)} MiB)`,
      limit: { text: `≥ ${countOf(atLeast)} a second`, met: perSecond >= atLeast },
    });
  }
  return { figures, parts: [] };
}

export const exportAuditScenario: Scenario = {
  number: 18,
  isLong: true,
  title: ({ rows }) => `Exporting an audit log of ${countOf(rows)} entries`,
  run,
};
