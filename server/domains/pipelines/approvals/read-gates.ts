/** Gates of a run as its viewer sees them. */
import type { RunJob } from "@forgeline/schemas/pipelines/resource.ts";
import type { ApprovalGate } from "@forgeline/schemas/approvals/resource.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import { listGates } from "./gates.store.ts";
import { awaitedReason } from "./held-at-gate.ts";
import { isOpen, presentGate } from "./present.ts";
import { countApprovers } from "./told.store.ts";

/** Of the current sequence, in the order in which they were reached. Only where one is open is it counted who may approve. */
export async function readGates(
  db: Queryable,
  pipelineId: string,
  viewer: Actor | undefined,
): Promise<ApprovalGate[]> {
  const rows = await listGates(db, pipelineId, { userId: viewer?.userId ?? null });
  if (!rows.some(isOpen)) return rows.map((row) => presentGate(row));
  const able = await countApprovers(db, pipelineId);
  return rows.map((row) => presentGate(row, able.get(row.id)));
}

/** What waits at gates which too few people may open says so. */
export function withShortages<T extends Waiting>(stages: T[], gates: readonly ApprovalGate[]): T[] {
  const short = gates.filter(({ shortage }) => shortage !== null);
  if (short.length === 0) return stages;
  return stages.map((stage) => ({
    ...stage,
    jobs: stage.jobs.map((job) => {
      const gate = short.find((one) => one.stage === stage.name && waitsAt(job, one));
      return gate ? { ...job, message: `${job.message ?? ""} ${gate.shortage}`.trimStart() } : job;
    }),
  }));
}

interface Waiting {
  name: string;
  jobs: Pick<RunJob, "key" | "status" | "reason" | "message">[];
}

function waitsAt({ key, status, reason }: Waiting["jobs"][number], gate: ApprovalGate): boolean {
  if (status !== "awaiting_approval" || reason !== awaitedReason(gate)) return false;
  return gate.job === null || gate.job === key;
}
