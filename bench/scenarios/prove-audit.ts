/** R18: proving a long chain of the audit log through the interface, against hashing the same rows in one statement. */
import type { AuditVerification } from "@forgeline/schemas/audit/resource.ts";
import type { Bench, Scenario, ScenarioResult } from "../scenario.ts";
import { fillLog } from "../long-log.ts";
import { countOf } from "../size.ts";

const atMostSeconds = 10;
const name = "long-log";

/** As somebody would who goes on until the answer is final. */
async function prove({
  client,
}: Bench): Promise<{ answer: AuditVerification; requests: number; ms: number }> {
  const path = `/orgs/${name}/audit-log/verify`;
  const beganMs = performance.now();
  let answer = await client.call<AuditVerification>("GET", path);
  let requests = 1;
  for (; answer.next; requests++) answer = await client.call("GET", `${path}?cursor=${answer.next}`);
  return { answer, requests, ms: performance.now() - beganMs };
}

async function hashOnly({ database }: Bench, id: string): Promise<number> {
  const beganMs = performance.now();
  await database.query(
    "select count(sha256(convert_to(to_jsonb(e)::text, 'UTF8'))) from audit_log e where organization_id = $1",
    [id],
  );
  return performance.now() - beganMs;
}

async function run(bench: Bench): Promise<ScenarioResult> {
  const id = await fillLog(bench, name);
  const bareMs = await hashOnly(bench, id);
  const { answer, requests, ms } = await prove(bench);
  if (answer.valid !== true || answer.entries <= bench.size.rows)
    throw new Error(`the chain was not proved: ${JSON.stringify(answer)}`);
  const seconds = ms / 1000;
  const entries = countOf(answer.entries);
  return {
    figures: [
      {
        what: `${entries} entries proved, in ${requests} requests`,
        value: `${seconds.toFixed(1)} s (${(ms / bareMs).toFixed(1)} × the ${(bareMs / 1000).toFixed(1)} s of hashing the same rows in one statement)`,
        limit: { text: `≤ ${atMostSeconds} s`, met: seconds <= atMostSeconds },
      },
    ],
    parts: [],
  };
}

export const proveAuditScenario: Scenario = {
  number: 9,
  title: () => "Proving a chain of the audit log",
  isLong: true,
  run,
};
