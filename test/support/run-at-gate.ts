/** A run that waits for an approval, and the ways in which people meet it over the API. */
import type { ApprovalGate } from "@forgeline/schemas/approvals/resource.ts";
import type { PlanApproval } from "@forgeline/schemas/pipeline-file/plan-approval.ts";
import type { ApiServer, TestPerson } from "./api-server.ts";
import { approvalRule, reachGates } from "./approvals.ts";
import { planJob, planOf } from "./runs.ts";
import { runInRows } from "./web/run-in-rows.ts";

interface Gate {
  /** Of the repository that is made for it. */
  name: string;
  rule: Partial<PlanApproval>;
  of: "job" | "stage";
}

/** Its job `ship` stands at its gate, or its stage does. */
export async function runAtGate(server: ApiServer, owner: TestPerson, { name, rule, of }: Gate) {
  const approval = approvalRule(rule);
  const plan = planOf([planJob({ key: "ship", ...(of === "job" ? { approval } : {}) })]);
  const stages = plan.stages.map((stage) => ({ ...stage, ...(of === "stage" ? { approval } : {}) }));
  const run = await runInRows(server, owner, { name, plan: { ...plan, stages } });
  const ask = () => reachGates(server.container.pipelines.runs, run.id);
  await ask();
  const path = `/repos/${owner.username}/${name}/pipelines/1`;
  return {
    ...run,
    ask,
    give: (person: TestPerson, decision: "approve" | "reject", comment?: string) =>
      server.api("POST", `${path}/approvals`, {
        token: person.token,
        body: { ...(of === "job" ? { job: "ship" } : { stage: "main" }), decision, comment },
      }),
    show: async (person: TestPerson) =>
      (await server.api("GET", path, { token: person.token })).json as {
        status: string;
        message: string;
        approvals: ApprovalGate[];
      },
  };
}
