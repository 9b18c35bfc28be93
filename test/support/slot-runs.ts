/** Runs whose jobs need slots of concurrency groups. */
import type { PipelineEvent } from "@forgeline/schemas/pipeline-file/event.ts";
import type { Plan, PlanConcurrency } from "@forgeline/schemas/pipeline-file/plan.ts";
import {
  createSlotTaker,
  type SlotAnswer,
} from "@forgeline/server/domains/pipelines/concurrency/take-slots.ts";
import type { WantedSlot } from "@forgeline/server/domains/pipelines/concurrency/wanted-slots.ts";
import { eventually } from "./eventually.ts";
import { handRunner, insertRun, planJob, planOf, type TestRepository } from "./runs.ts";
import type { TextDatabase } from "./text-database.ts";

/** `concurrency` of a plan. */
export const inGroup = (group: string, more: Partial<PlanConcurrency> = {}): PlanConcurrency => ({
  group,
  limit: 1,
  order: "created",
  waiting: "all",
  cancelRunning: false,
  scope: "repo",
  ...more,
});

/** Starts a run of the plan. */
export async function beginRun(
  db: TextDatabase,
  repository: TestRepository,
  plan: Plan,
  event: Partial<PipelineEvent> = {},
) {
  const { id, number } = await insertRun(db, repository, plan, event);
  const job = async (key: string) => {
    const row = await db.one<{ status: string; reason: string | null }>(
      "select status, reason from jobs where pipeline_id = $1 and key = $2",
      [id, key],
    );
    return [row?.status, row?.reason].filter((part) => part !== null).join(" ");
  };
  return {
    id,
    number,
    runner: handRunner(db, id),
    job,
    jobIs: (key: string, wanted: string) =>
      eventually(async () => ((await job(key)) === wanted ? true : undefined)),
    /** `node state` of its slots, in the order of places. */
    slots: async () => {
      const rows = await db.query<{ node: string; state: string }>(
        "select node, state from concurrency_slots where pipeline_id = $1 order by place",
        [id],
      );
      return rows.map(({ node, state }) => `${node} ${state}`);
    },
  };
}

/** A run whose only job asks for its slot at once, without workflow and runner; what it is told. */
export async function asksForSlot(
  db: TextDatabase,
  repository: TestRepository,
  concurrency: PlanConcurrency,
): Promise<{ id: string; number: number; jobId: string; answer: SlotAnswer }> {
  const run = await insertRun(db, repository, ship(concurrency));
  const [job] = await db.query<{ id: string }>("select id from jobs where pipeline_id = $1", [run.id]);
  const wanted: WantedSlot = { ...concurrency, node: "job", nodeId: job?.id ?? "" };
  const answer = await db.transaction(async (tx) => {
    const taker = await createSlotTaker(tx, { repositoryId: repository.id, pipelineId: run.id }, [wanted]);
    return taker.take([wanted]);
  });
  return { ...run, jobId: wanted.nodeId, answer };
}

/** One job in the group. */
export const ship = (concurrency: PlanConcurrency, more = {}) =>
  planOf([planJob({ key: "ship", concurrency, ...more })]);
