/**
 * Makes the runs of one merge request: the files of its head are read and compiled before the transaction, in which the runs are written
 * if nothing else was asked for meanwhile. Those whose commits come from a fork wait, unless everybody behind them is trusted.
 */
import { listsEvent, matchTriggers } from "@forgeline/compiler/triggers.ts";
import { maxChangedPaths, type PipelineEvent } from "@forgeline/schemas/pipeline-file/event.ts";
import type { Database, Transaction } from "../../../platform/db/database.ts";
import type { RepositoryHistory } from "../../../platform/git/storage/repository-history.ts";
import { mergeRequestRefs } from "../../../platform/git/refs/names.ts";
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
import { makeEvent } from "../runs/make-event.ts";
import { brokenSet, withinBounds } from "../runs/push-follower.ts";
import { mergeVariables, readSetVariables } from "../variables/run-variables.ts";
import type { ForkApprovalChange, ForkApprovals } from "./fork-approvals.ts";
import * as store from "./subjects.store.ts";

export interface MakeRunsDeps extends FileDeps {
  db: Database;
  history: Pick<RepositoryHistory, "mergeBase">;
  forkApprovals: ForkApprovals;
}

/** `not_there`: its commits are not in the repository yet. */
export type Made = "made" | "not_there";

export async function makeRunsOf(deps: MakeRunsDeps, subject: store.ClaimedSubject): Promise<Made> {
  const repository = await store.findRepository(deps.db, subject.repository_id);
  const event = repository && (await eventOf(deps, subject, repository));
  if (!event) return "not_there";
  const runs = await wantedRuns(deps, subject, event);
  await deps.db.transaction(async (tx) => {
    // What is wanted since then is made by whoever claims it next.
    if (!(await store.finishSubject(tx, subject))) return;
    const waits = await record(tx, subject, runs);
    if (waits) await deps.forkApprovals.tell(tx, waits);
  });
  return "made";
}

/** undefined where a branch has no such commit here. */
async function eventOf(
  { db, files, history }: MakeRunsDeps,
  subject: store.ClaimedSubject,
  repository: store.EventRepository,
): Promise<PipelineEvent | undefined> {
  const { repository_id: repositoryId, number, head_sha: head, target_branch: target } = subject;
  const [commit, targetTip] = await Promise.all([
    files.commitInfo(repositoryId, head),
    files.resolveRef(repositoryId, `refs/heads/${target}`),
  ]);
  if (!commit || !targetTip) return undefined;
  const base = await history.mergeBase(repositoryId, targetTip.sha, head);
  const ref = `${mergeRequestRefs}/${number}/head`;
  // From what both branches have in common, as for a new branch beside the default branch.
  const change = { before: null, after: head, ref, defaultBranch: target };
  const [changedPaths, set] = await Promise.all([
    files.changedPaths(repositoryId, change, maxChangedPaths),
    readSetVariables(db, repositoryId),
  ]);
  const event = makeEvent({
    name: "merge_request",
    ref,
    commit,
    beforeSha: null,
    actor: subject.actor ?? "",
    changedPaths,
    repository,
    variables: mergeVariables(set, {}),
  });
  return { ...event, mergeRequest: mergeRequestOf(subject, base ?? "") };
}

function mergeRequestOf(
  subject: store.ClaimedSubject,
  base: string,
): NonNullable<PipelineEvent["mergeRequest"]> {
  return {
    number: subject.number,
    title: subject.title,
    author: subject.author ?? "",
    source_branch: subject.source_branch,
    target_branch: subject.target_branch,
    base_sha: base,
    draft: subject.draft,
    labels: subject.labels,
    fork: subject.source_repository_id !== subject.repository_id,
  };
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
  const pushed = mergeRequest?.fork
    ? new Map<string, number>()
    : await store.findPushRuns(deps.db, repositoryId, { sha, ref });
  const people = [subject.author_id, pusherId, subject.actor_id];
  const needsApproval =
    mergeRequest?.fork === true && !(await store.areTrusted(deps.db, repositoryId, people));
  return compiled.flatMap((file) => {
    const run = runOf(subject, { file, event, pushed: pushed.get(file.file) });
    return run ? [{ ...run, needsApproval }] : [];
  });
}

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
  return {
    ...run,
    origin: `${subject.merge_request_id}:${subject.wanted}:${file.file}`,
    starts: {
      userId: triggeredBy,
      elsewhere: subject.reach === "starts" && event.mergeRequest?.fork === false,
    },
    ...(isDone && run.content.kind === "plan"
      ? { content: { kind: "skipped", reason: `pushed:#${pushed}` } as const }
      : {}),
  };
}

function wants(file: CompiledFile & { plan: object }, event: PipelineEvent): boolean {
  const decision = file.on ? matchTriggers(file.on, event) : { run: true as const };
  return decision.run || decision.reason === "skip_ci";
}

/** Of older commits, what waits for an approval is of no use any more. Undefined where nothing has waited, and nothing does. */
async function record(
  tx: Transaction,
  subject: store.ClaimedSubject,
  runs: readonly NewRun[],
): Promise<ForkApprovalChange | undefined> {
  const { repository_id: repositoryId, number } = subject;
  const waiting = await store.findWaiting(tx, repositoryId, number);
  let first: number | undefined;
  let isHeld = false;
  for (const run of runs) {
    const created = await createRun(tx, run);
    first ??= created?.number;
    isHeld ||= created !== undefined && run.needsApproval === true && run.content.kind === "plan";
  }
  for (const { id } of waiting) await supersede(tx, id, first);
  const place = { repositoryId, number, actorId: subject.author_id };
  if (isHeld) return place;
  return waiting.length > 0 ? { ...place, end: "superseded" } : undefined;
}
