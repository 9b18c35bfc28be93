/**
 * Runs that follow from a push. Everything is read and compiled before the transaction; inside it a few inserts. A broken file
 * creates a run that shows the error; because runs have an origin, handling a push twice is harmless.
 */
import { listsEvent, matchTriggers } from "@forgeline/compiler/triggers.ts";
import { maxChangedPaths, type PipelineEvent } from "@forgeline/schemas/pipeline-file/event.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { zeroId } from "../../../platform/git/refs/names.ts";
import type { PushFollower, RecordedPush } from "../../hosting/domain.ts";
import type { RefUpdate } from "../../../platform/git/refs/ref-update.ts";
import { startsOf } from "./child-actor.ts";
import { createRun, newRunOf, type NewRun } from "./create-run.ts";
import { findEventRepository, type EventRepository } from "./events.store.ts";
import { makeEvent } from "./make-event.ts";
import {
  compileFile,
  findPipelineFiles,
  firstError,
  type CompiledFile,
  type FileDeps,
} from "../compile/pipeline-files.ts";
import { requireInputs } from "../compile/run-inputs.ts";
import { mergeVariables, readSetVariables, tooMuch, type RunVariables } from "../variables/run-variables.ts";
import { runsInstead } from "../merge-request-runs/instead-of-push.ts";
import { runAddress } from "./run-address.ts";

export interface PushFollowerDeps extends FileDeps {
  db: Queryable;
  /** `https://HOST`. */
  webUrl: string;
}

const nothingStarts = "No pipelines start, because a job pushed this.";
/** Takes the place of the user name for runs of a mirror. */
const mirrorActor = "mirror:sync";
/** Limits the messages to the pusher; a push may create hundreds of runs. */
const maxLines = 40;
/**
 * Maximum number of refs in one push for which Git computes the merge base with the default branch, which takes a while for
 * long histories.
 */
const maxAsked = 50;

export function createPipelinePushFollower(deps: PushFollowerDeps): PushFollower {
  return {
    async prepare(push, pusher) {
      // Otherwise a job that commits would start itself again, and no rule on loops would end that: each commit is another one.
      if (push.jobId !== null) return () => Promise.resolve([nothingStarts]);
      const repository = await findEventRepository(deps.db, push.repositoryId);
      const runs: NewRun[] = [];
      if (!repository || !mayRun(push, repository)) return () => Promise.resolve([]);
      const filesAt = pipelineFilesByCommit(deps, push.repositoryId);
      const variables = variablesWhenNeeded(deps.db, push.repositoryId);
      for (const [index, update] of push.updates.entries()) {
        const cheaply = index >= maxAsked;
        runs.push(
          ...(await runsOf({ ...deps, filesAt, cheaply, variables, pusher }, { push, update, repository })),
        );
      }
      const starts = { ...startsOf(pusher), userId: push.userId };
      const started = runs.map((run) => ({ ...run, starts }));
      return (tx) => record(tx, started, { repository, webUrl: deps.webUrl });
    },
  };
}

type Repository = EventRepository;

/** What was fetched from elsewhere must not run here unless somebody wants it to. */
function mayRun({ cause, userId }: RecordedPush, repository: Repository): boolean {
  if (cause === "mirror_sync") return repository.mirrorSyncs;
  return userId !== null && (cause === "push" || repository.forkSyncs);
}

function eventName(cause: RecordedPush["cause"], isBranch: boolean): PipelineEvent["name"] {
  if (cause !== "push") return cause;
  return isBranch ? "push" : "tag";
}

/** Most pushes are to repositories without pipelines. */
function variablesWhenNeeded(db: Queryable, repositoryId: string): () => Promise<RunVariables> {
  let found: Promise<RunVariables> | undefined;
  return () => (found ??= readSetVariables(db, repositoryId).then((set) => mergeVariables(set, {})));
}

type FilesAt = (commitId: string) => ReturnType<typeof findPipelineFiles>;

/** Most of a thousand refs in one push point to few commits. */
function pipelineFilesByCommit(deps: Pick<FileDeps, "db" | "files">, repositoryId: string): FilesAt {
  const found = new Map<string, ReturnType<typeof findPipelineFiles>>();
  return (commitId) => {
    let at = found.get(commitId);
    if (!at) found.set(commitId, (at = findPipelineFiles(deps, repositoryId, commitId)));
    return at;
  };
}

async function record(
  tx: Transaction,
  runs: readonly NewRun[],
  { repository, webUrl }: { repository: Repository; webUrl: string },
): Promise<string[]> {
  const lines: string[] = [];
  for (const run of runs) {
    const created = await createRun(tx, run);
    if (!created) continue;
    const url = runAddress(webUrl, `${repository.owner}/${repository.name}`, created.number);
    const what = { plan: "", broken: " has errors", skipped: " was skipped" }[run.content.kind];
    lines.push(`Pipeline #${created.number}${what}: ${url}`);
    if (run.content.kind === "broken") lines.push(`  ${run.content.message}`);
  }
  const rest = lines.length - maxLines;
  return rest > 0 ? [...lines.slice(0, maxLines), `… and ${rest} lines more`] : lines;
}

async function runsOf(
  deps: PushFollowerDeps & {
    filesAt: FilesAt;
    cheaply: boolean;
    variables: () => Promise<RunVariables>;
    pusher: Actor;
  },
  { push, update, repository }: { push: RecordedPush; update: RefUpdate; repository: Repository },
): Promise<NewRun[]> {
  const isBranch = update.ref.startsWith("refs/heads/");
  if (update.after === zeroId || !(isBranch || update.ref.startsWith("refs/tags/"))) return [];
  // A tag's object is not the commit; a branch that was updated meanwhile has its own push.
  const sha = isBranch ? update.after : (await deps.files.resolveRef(push.repositoryId, update.ref))?.sha;
  const chosen = sha && (await deps.filesAt(sha));
  // The rest starts processes for each ref, and most repositories with very many refs have nothing to run.
  if (!chosen || chosen.files.length + chosen.diagnostics.length === 0) return [];
  const commit = sha && (await deps.files.commitInfo(push.repositoryId, sha));
  if (!commit) return [];
  const before = update.before === zeroId ? null : update.before;
  const event = makeEvent({
    name: eventName(push.cause, isBranch),
    ref: update.ref,
    commit,
    beforeSha: before,
    actor: push.userId === null ? mirrorActor : push.username,
    changedPaths: isBranch
      ? await deps.files.changedPaths(
          push.repositoryId,
          {
            before,
            after: commit.sha,
            ref: update.ref,
            defaultBranch: repository.defaultBranch,
            cheaply: deps.cheaply,
          },
          maxChangedPaths,
        )
      : null,
    repository,
    variables: await deps.variables(),
  });
  if (chosen.diagnostics.length > 0)
    return push.cause === "push" ? [newRun(push, event, brokenSet(chosen.diagnostics))] : [];
  const of = { repositoryId: push.repositoryId, sha: event.sha, event, reader: deps.pusher };
  const [compiled, instead] = await Promise.all([
    Promise.all(chosen.files.map((file) => compileFile(deps, { ...of, file }))),
    runsInstead(deps, push.repositoryId, event),
  ]);
  return compiled.flatMap((file) =>
    isWanted(file, event) ? [withMergeRequest(newRun(push, event, file), instead(file))] : [],
  );
}

/** Each commit runs a file once. `number`: of the merge request for which it does. */
function withMergeRequest(run: NewRun, number: number | undefined): NewRun {
  if (number === undefined || run.content.kind !== "plan") return run;
  return { ...run, content: { kind: "skipped", reason: `merge_request:!${number}` } };
}

/** Files of which it is not clear which count. */
export function brokenSet(diagnostics: CompiledFile["diagnostics"]): CompiledFile {
  const file = diagnostics[0]?.file ?? ".forgeline.yml";
  return { file, text: null, plan: null, on: null, problem: firstError(file, diagnostics), diagnostics };
}

/**
 * Whoever has pushed a broken file is to see that, unless the file runs for other events only; of what a sync brings, only what wants to
 * run counts.
 */
function isWanted(file: CompiledFile, event: PipelineEvent): boolean {
  if (!file.plan)
    return (event.name === "push" || event.name === "tag") && (!file.on || listsEvent(file.on, event));
  const decision = matchTriggers(file.on, event);
  return decision.run || decision.reason === "skip_ci";
}

/** Nobody waits for an answer here: a run shows that its variables are more than any step can have. */
export function withinBounds(file: CompiledFile, event: PipelineEvent): CompiledFile {
  if (!file.plan || !matchTriggers(file.on, event).run) return file;
  const problem = tooMuch(event);
  return problem === null ? file : { ...file, plan: null, problem };
}

function newRun(push: RecordedPush, event: PipelineEvent, file: CompiledFile): NewRun {
  const { repositoryId, userId: triggeredBy } = push;
  const inputs = file.plan ? requireInputs(file.plan.inputs, {}, event.name) : {};
  return {
    ...newRunOf(withinBounds(file, event), { ...event, inputs }, { repositoryId, triggeredBy }),
    origin: `${push.id}:${event.ref}:${file.file}`,
  };
}
