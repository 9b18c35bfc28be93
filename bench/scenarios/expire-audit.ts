/** Removing entries of an audit log whose time is over, among organizations with different plans, while others are recorded. */
import pg from "pg";
import type { AuditVerification } from "@forgeline/schemas/audit/resource.ts";
import { eventually } from "../../test/support/eventually.ts";
import type { Bench, Scenario, ScenarioResult } from "../scenario.ts";
import { countOf } from "../size.ts";
import { nowMs, quantile } from "../statistics.ts";

const plans = ["free", "pro", "organization", "enterprise"] as const;
const months = 14;
const linkedAtOnce = 10_000;
const quietForMs = 10_000;

/** One organization for each plan, whose entries alternate; gives their ids. */
async function fillLogs({ instance, size, say }: Bench, owner: pg.Client): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  for (const plan of plans) {
    const { id } = await instance.api<{ id: string }>("POST", "/orgs", { name: `kept-${plan}` });
    ids.set(plan, id);
    await owner.query("update organizations set plan = $2 where id = $1", [id, plan]);
    await owner.query("update organizations set plan_changed_at = null where id = $1", [id]);
  }
  await owner.query("select make_audit_partitions(now() - make_interval(months => $1), $1)", [months]);
  await owner.query(
    `insert into audit_log (id, at, organization_id, actor_id, actor_username, ip_address, action, target_type, target_id,
       target_name, details, user_agent, request_id)
     select 'evt_' || lpad(n::text, 26, '0'), now() - make_interval(months => $3) * (1 - n::float8 / $2),
       ($1::text[])[1 + n % 4], 'usr_' || lpad('1', 26, '0'), 'ada', '192.0.2.1', 'org.settings_change', 'organization',
       ($1::text[])[1 + n % 4], 'kept', jsonb_build_object('description', 'number ' || n), 'bench', ''
     from generate_series(1, $2::int) n`,
    [[...ids.values()], size.rows, months],
  );
  await owner.query("vacuum analyze audit_pending");
  say("entries are recorded");
  return ids;
}

async function linkAll(owner: pg.Client): Promise<number> {
  const beganMs = nowMs();
  for (let linked = 1; linked > 0;)
    linked =
      (await owner.query<{ n: number }>("select link_audit_entries($1) as n", [linkedAtOnce])).rows[0]?.n ??
      0;
  return nowMs() - beganMs;
}

/** How long one entry takes to be recorded, again and again until told to stop. */
function recordSteadily({ client }: Bench): { stop(): Promise<number[]> } {
  const times: number[] = [];
  let stopped = false;
  const running = (async () => {
    for (let number = 0; !stopped; number += 1) {
      const beganMs = nowMs();
      await client.call("PATCH", "/orgs/kept-free", { description: `number ${number}` });
      times.push(nowMs() - beganMs);
    }
  })();
  return {
    async stop() {
      stopped = true;
      await running;
      return times;
    },
  };
}

async function expireAll({ client, instance }: Bench): Promise<number> {
  const path = "/admin/schedules/remove_expired_audit_entries";
  const beganMs = nowMs();
  await client.call("POST", `${path}/run`);
  const beganAt = new Date();
  await eventually(
    async () => {
      const { last_run: last } = await instance.api<{ last_run: { ended_at: string | null } | null }>(
        "GET",
        path,
      );
      return last?.ended_at !== undefined && last.ended_at !== null && new Date(last.ended_at) > beganAt;
    },
    { timeoutMs: 3_600_000, intervalMs: 500 },
  );
  return nowMs() - beganMs;
}

async function prove({ client }: Bench, plan: string): Promise<AuditVerification> {
  const path = `/orgs/kept-${plan}/audit-log/verify`;
  let answer = await client.call<AuditVerification>("GET", path);
  while (answer.next) answer = await client.call("GET", `${path}?cursor=${answer.next}`);
  if (answer.valid !== true) throw new Error(`the chain was not proved: ${JSON.stringify(answer)}`);
  return answer;
}

async function sizeOf(owner: pg.Client): Promise<number> {
  const { rows } = await owner.query<{ bytes: string }>(
    `select sum(pg_total_relation_size(inhrelid)) as bytes from pg_inherits where inhparent = 'audit_log'::regclass`,
  );
  return Number(rows[0]?.bytes ?? 0);
}

const mib = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(0)} MiB`;

async function proveAll(bench: Bench): Promise<{ expired: number; entries: number; ms: number }> {
  const beganMs = nowMs();
  let expired = 0;
  let entries = 0;
  for (const plan of plans) {
    const proved = await prove(bench, plan);
    expired += proved.expired;
    entries += proved.entries;
  }
  return { expired, entries, ms: nowMs() - beganMs };
}

/** How long the 99th percentile of entries takes to be recorded, for some seconds and while all that is due is removed. */
async function measure(bench: Bench): Promise<{ quietMs: number; busyMs: number; expireMs: number }> {
  const quiet = recordSteadily(bench);
  await new Promise((resolve) => setTimeout(resolve, quietForMs));
  const quietMs = quantile(await quiet.stop(), 0.99);
  const busy = recordSteadily(bench);
  const expireMs = await expireAll(bench);
  return { quietMs, busyMs: quantile(await busy.stop(), 0.99), expireMs };
}

const perSecond = (count: number, ms: number) => `${countOf(Math.round((count / ms) * 1000))} a second`;

async function run(bench: Bench): Promise<ScenarioResult> {
  const owner = new pg.Client({ connectionString: bench.instance.database.ownerUrl });
  await owner.connect();
  try {
    await fillLogs(bench, owner);
    const linkMs = await linkAll(owner);
    await owner.query("vacuum analyze audit_log");
    const sizeBefore = await sizeOf(owner);
    const { quietMs, busyMs, expireMs } = await measure(bench);
    await owner.query("vacuum analyze audit_log");
    await expireAll(bench);
    const sizeAfter = await sizeOf(owner);
    const proved = await proveAll(bench);
    const { rows } = bench.size;
    const values: [what: string, value: string][] = [
      [`${countOf(rows)} entries linked to their chains`, perSecond(rows, linkMs)],
      [
        "entries removed because their time was over",
        `${countOf(proved.expired)}, ${perSecond(proved.expired, expireMs)}`,
      ],
      [
        "an entry is recorded meanwhile, 99th percentile",
        `${busyMs.toFixed(0)} ms, against ${quietMs.toFixed(0)} ms before`,
      ],
      [
        "the chains proved afterwards",
        `${(proved.ms / 1000).toFixed(1)} s, ${countOf(proved.entries - proved.expired)} entries that are left`,
      ],
      ["room of the log, before and after", `${mib(sizeBefore)}, ${mib(sizeAfter)}`],
    ];
    return { figures: values.map(([what, value]) => ({ what, value })), parts: [] };
  } finally {
    await owner.end();
  }
}

export const expireAuditScenario: Scenario = {
  number: 20,
  isLong: true,
  title: ({ rows }) => `Removing what has expired of ${countOf(rows)} entries of the audit log`,
  run,
};
