/**
 * Makes the runs of one merge request: the files of its head are read and compiled before the transaction, in which the runs are written
 * if nothing else was asked for meanwhile. Those whose commits come from a fork wait, unless everybody behind them is trusted.
 */
import { listsEvent, matchTriggers } from "@forgeline/compiler/triggers.ts";
import type { MergeRequestType, PipelineEvent } from "@forgeline/schemas/pipeline-file/event.ts";
import type { Database, Transaction } from "../../../platform/db/database.ts";
import {
  compileFile,
  findPipelineFiles,
  type CompiledFile,
  type FileDeps,
} from "../compile/pipeline-files.ts";
import { requireInputs } from "../compile/run-inputs.ts";
import { actorOf } from "../compile/template-reader.ts";
import { supersede } from "../runs/change-run.ts";
import { createRun, newRunOf, type NewRun } from "../runs/create-run.ts";
import { brokenSet, withinBounds } from "../runs/push-follower.ts";
import type { ForkApprovalChange, ForkApprovals } from "./fork-approvals.ts";
import { eventOf, targetTip, type SubjectEventDeps } from "./subject-event.ts";
import * as store from "./subjects.store.ts";

export interface MakeRunsDeps extends FileDeps, SubjectEventDeps {
  db: Database;
  forkApprovals: ForkApprovals;
}

/** `not_there`: its commits are not in the repository yet. `gone`: it has ended and so has its target branch, so that none can be made. */
export type Made = "made" | "not_there" | "gone";

/** `types`: what happened, and so what files can ask for. */
export async function makeRunsOf(
  deps: MakeRunsDeps,
  subject: store.ClaimedSubject,
  types: readonly MergeRequestType[],
): Promise<Made> {
  // Whoever wrote that it waits died before they could look again, or more has happened: whether it still conflicts is found out anew.
  if (subject.waits_for_merge && subject.is_open) {
    await store.noteMergeable(deps.db, subject.merge_request_id);
    return "made";
  }
  const repository = await store.findRepository(deps.db, subject.repository_id);
  const found = repository && (await eventOf(deps, { subject, repository, types }));
  if (!found) return subject.is_open || (await targetTip(deps, subject)) ? "not_there" : "gone";
  const { event, base, target, conflicts } = found;
  const runs = await wantedRuns(deps, subject, event);
  await deps.db.transaction(async (tx) => {
    // What is wanted since then is made by whoever claims it next.
    if (!(await store.finishSubject(tx, subject, { base, waits: conflicts }))) return;
    const waits = await record(tx, subject, runs);
    if (waits) await deps.forkApprovals.tell(tx, waits);
  });
  // Whoever compared the branches meanwhile could not know that runs wait for it.
  if (conflicts)
    if ((await targetTip(deps, subject)) === target) await store.leaveWaiting(deps.db, subject);
    else await store.noteMergeable(deps.db, subject.merge_request_id);
  return "made";
}

async function wantedRuns(
  deps: MakeRunsDeps,
  subject: store.ClaimedSubject,
  event: PipelineEvent,
): Promise<NewRun[]> {
  const { repository_id: repositoryId, pusher_id: pusherId } = subject;
  const { sha, mergeRequest } = event;
  const { files, diagnostics } = await findPipelineFiles(deps, repositoryId, sha);
  if (files.length + diagnostics.length === 0) return [];
  // Templates of other repositories are read for whoever brought the file.
  const reader = actorOf(pusherId, { repositoryId, reach: subject.reach });
  const compiled =
    diagnostics.length > 0
      ? [brokenSet(diagnostics)]
      : await Promise.all(files.map((file) => compileFile(deps, { repositoryId, file, sha, event, reader })));
  const ref = `refs/heads/${subject.source_branch}`;
  // A run of the head says nothing of what the target branch would become.
  const pushed =
    mergeRequest?.fork || mergeRequest?.merge_sha !== undefined
      ? new Map<string, number>()
      : await store.findPushRuns(deps.db, repositoryId, { sha, ref });
  const people = [subject.author_id, pusherId, subject.actor_id];
  const needsApproval =
    mergeRequest?.fork === true && !(await store.areTrusted(deps.db, repositoryId, people));
  // Nobody could approve the run of one that is not open.
  if (needsApproval && !subject.is_open) return [];
  return compiled.flatMap((file) => {
    const run = runOf(subject, { file, event, pushed: pushed.get(file.file) });
    return run ? [{ ...run, needsApproval }] : [];
  });
}

/** Why nothing ran where the branches conflict. */
const mergeConflict = "merge_conflict";

/** undefined: the file does not want one. `pushed`: the number of the run that a push of the commit made. */
function runOf(
  subject: store.ClaimedSubject,
  { file, event, pushed }: { file: CompiledFile; event: PipelineEvent; pushed: number | undefined },
): NewRun | undefined {
  const isWanted = file.plan
    ? wants(file, event)
    : pushed === undefined && (!file.on || listsEvent(file.on, event));
  if (!isWanted) return undefined;
  const { repository_id: repositoryId, actor_id: triggeredBy } = subject;
  const inputs = file.plan ? requireInputs(file.plan.inputs, {}, event.name) : {};
  const run = newRunOf(withinBounds(file, event), { ...event, inputs }, { repositoryId, triggeredBy });
  const isDone = pushed !== undefined && file.plan !== null && !file.on.mergeRequest?.isListed;
  const skipped =
    event.mergeRequest?.merge_sha === "" ? mergeConflict : isDone ? `pushed:#${pushed}` : undefined;
  return {
    ...run,
    origin: `${subject.merge_request_id}:${subject.wanted}:${file.file}`,
    starts: {
      userId: triggeredBy,
      elsewhere: subject.reach === "starts" && event.mergeRequest?.fork === false,
    },
    ...(skipped !== undefined && run.content.kind === "plan"
      ? { content: { kind: "skipped", reason: skipped } as const }
      : {}),
  };
}

function wants(file: CompiledFile & { plan: object }, event: PipelineEvent): boolean {
  const decision = file.on ? matchTriggers(file.on, event) : { run: true as const };
  return decision.run || decision.reason === "skip_ci";
}

/**
 * What waits for an approval is of no use any more where it is of an older commit, or runs anew. Undefined where nothing has waited,
 * and nothing does.
 */
async function record(
  tx: Transaction,
  subject: store.ClaimedSubject,
  runs: readonly NewRun[],
): Promise<ForkApprovalChange | undefined> {
  const { repository_id: repositoryId, number, head_sha: head } = subject;
  const waiting = await store.findWaiting(tx, repositoryId, number);
  // Only what was really made: a run that was there already replaces nothing, least of all itself.
  const anew = new Set<string>();
  let first: number | undefined;
  let isHeld = false;
  for (const run of runs) {
    const created = await createRun(tx, run);
    if (!created) continue;
    anew.add(run.file);
    first ??= created.number;
    isHeld ||= run.needsApproval === true && run.content.kind === "plan";
  }
  const place = { repositoryId, number, actorId: subject.author_id };
  const over = waiting.filter(({ file, head_sha: of }) => of !== head || anew.has(file));
  for (const { id } of over) await supersede(tx, id, first);
  if (isHeld) return place;
  return over.length > 0 && over.length === waiting.length ? { ...place, end: "superseded" } : undefined;
}
