/** How far runs that start each other may go, whether a job does so by its `trigger` or by a request with its token. */
import type { Transaction } from "../../../platform/db/database.ts";
import { countChildren, findLoop, holdTree, type StartingRow } from "./children.store.ts";
import type { NewRun, RunParent } from "./create-run.ts";
import { trustOfChild } from "./source-trust.ts";

/** A pipeline that starts one that starts one, and so on. */
const maxDepth = 4;
/** Of one sequence of a run. */
const maxChildren = 50;
/** Below one first run, reruns included: 50 at each of 4 levels would be millions. */
const maxTree = 500;

/** Of a run that the attempt's job starts, in whichever way. */
export function parentOf(starting: StartingRow, attemptId: string): RunParent {
  const { id, sequence, jobId, rootId, depth, trust } = starting;
  return { id, sequence, jobId, attemptId, rootId, depth: depth + 1, trust: trustOfChild(trust) };
}

/** A sentence if the run of `depth` may start none; null: it may. */
export function refusalOfDepth({ depth }: Pick<StartingRow, "depth">): string | null {
  if (depth < maxDepth) return null;
  return `Pipelines can start each other ${maxDepth} levels deep at most, and this one is at the last.`;
}

/**
 * A sentence if the new run would do again what led to it; null: it would not. To be asked before anything is locked: until the transaction
 * ends, nobody else adds to the runs below the first one.
 */
export async function refusalOfLoop(
  tx: Transaction,
  { id, rootId }: Pick<StartingRow, "id" | "rootId">,
  run: Omit<NewRun, "origin">,
): Promise<string | null> {
  await holdTree(tx, rootId);
  const loop = await findLoop(tx, id, { ...run, ...run.event });
  if (loop === undefined) return null;
  return `A loop: ${run.file} would run again at the same commit and with the same inputs as in #${loop}, which led to this run.`;
}

/** To be asked when the new run is there. */
export async function refusalOfCount(
  tx: Transaction,
  { id, sequence, rootId }: Pick<StartingRow, "id" | "sequence" | "rootId">,
): Promise<string | null> {
  const { own, tree } = await countChildren(tx, { id, sequence, rootId, limit: maxTree + 1 });
  if (own > maxChildren) return `A run can start at most ${maxChildren} pipelines.`;
  if (tree > maxTree)
    return `The first run and all that followed from it can start at most ${maxTree} pipelines.`;
  return null;
}
