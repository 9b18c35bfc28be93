/**
 * The event of the runs of a merge request: of its head, or, where the repository wants that, of what merges the head into the target
 * branch as both are now.
 */
import {
  maxChangedPaths,
  type MergeRequestType,
  type PipelineEvent,
} from "@forgeline/schemas/pipeline-file/event.ts";
import type { CommitInfo } from "../../../platform/git/objects/commit.ts";
import { mergeRequestRefs } from "../../../platform/git/refs/names.ts";
import type { RepositoryFiles } from "../../../platform/git/storage/repository-files.ts";
import type { RepositoryHistory } from "../../../platform/git/storage/repository-history.ts";
import { makeEvent } from "../runs/make-event.ts";
import { mergeVariables, readSetVariables } from "../variables/run-variables.ts";
import { makeResult, type ResultDeps } from "./merged-results.ts";
import type { ClaimedSubject, EventRepository } from "./subjects.store.ts";

export interface SubjectEventDeps extends ResultDeps {
  files: RepositoryFiles;
  history: Pick<RepositoryHistory, "mergeBase">;
}

interface Asked {
  subject: ClaimedSubject;
  repository: EventRepository;
  types: readonly MergeRequestType[];
}

interface Tips {
  head: CommitInfo;
  target: string;
  /** null: they share no history. */
  base: string | null;
}

export interface SubjectEvent {
  event: PipelineEvent;
  base: string | null;
  /** Where the target branch was. */
  target: string;
  /** It should run on the merged result, and there is none. */
  conflicts: boolean;
}

/** undefined where a branch has no such commit here. */
export async function eventOf(deps: SubjectEventDeps, asked: Asked): Promise<SubjectEvent | undefined> {
  const { subject, repository } = asked;
  const { repository_id: repositoryId, head_sha: sha, number } = subject;
  const [head, target] = await Promise.all([
    deps.files.commitInfo(repositoryId, sha),
    targetTip(deps, subject),
  ]);
  if (!head || target === undefined) return undefined;
  const base = (await deps.history.mergeBase(repositoryId, target, sha)) ?? null;
  const tips = { head, target, base };
  // What was merged or closed becomes nothing any more.
  const merged =
    repository.onMergedResult && subject.is_open ? await resultOf(deps, subject, tips) : undefined;
  const event = await eventOfHead(deps, asked, tips);
  const ofMerged = merged
    ? { sha: merged, ref: `${mergeRequestRefs}/${number}/merge` }
    : { sha, ref: event.ref };
  return {
    event: {
      ...event,
      ...ofMerged,
      mergeRequest: {
        ...mergeRequestOf(asked, tips),
        ...(merged === undefined ? {} : { head_sha: sha, merge_sha: merged ?? "" }),
      },
    },
    base,
    target,
    conflicts: merged === null,
  };
}

/** null: they cannot be merged. Without a common history Git does not try. */
async function resultOf(
  deps: SubjectEventDeps,
  { repository_id: repositoryId, number }: ClaimedSubject,
  { head, target, base }: Tips,
): Promise<string | null> {
  const tip = await deps.files.commitInfo(repositoryId, target);
  return base === null || !tip ? null : makeResult(deps, { repositoryId, number }, { head, target: tip });
}

/** Where the target branch is now; undefined where it is gone. */
export async function targetTip(
  { files }: Pick<SubjectEventDeps, "files">,
  { repository_id: repositoryId, target_branch: target }: ClaimedSubject,
): Promise<string | undefined> {
  return (await files.resolveRef(repositoryId, `refs/heads/${target}`))?.sha;
}

async function eventOfHead(
  deps: SubjectEventDeps,
  { subject, repository }: Asked,
  tips: Tips,
): Promise<PipelineEvent> {
  const ref = `${mergeRequestRefs}/${subject.number}/head`;
  const [changedPaths, set] = await Promise.all([
    changedPathsOf(deps, subject, tips),
    readSetVariables(deps.db, subject.repository_id),
  ]);
  return makeEvent({
    name: "merge_request",
    ref,
    commit: tips.head,
    beforeSha: null,
    actor: subject.actor ?? "",
    changedPaths,
    repository,
    variables: mergeVariables(set, {}),
  });
}

/**
 * From what both branches have in common, as for a new branch beside the default branch. Once the target branch has the head, that
 * says nothing: from where they parted when runs were made last, and unknown if that is not known.
 */
async function changedPathsOf(
  { files }: SubjectEventDeps,
  subject: ClaimedSubject,
  { head: { sha: after }, base }: Tips,
): Promise<string[] | null> {
  const { repository_id: repositoryId, target_branch: defaultBranch } = subject;
  const before = base === after ? subject.base_sha : null;
  if (base === after && before === null) return null;
  return files.changedPaths(repositoryId, { before, after, ref: "", defaultBranch }, maxChangedPaths);
}

function mergeRequestOf(
  { subject, types }: Asked,
  { target, base }: Tips,
): NonNullable<PipelineEvent["mergeRequest"]> {
  return {
    number: subject.number,
    title: subject.title,
    author: subject.author ?? "",
    source_branch: subject.source_branch,
    target_branch: subject.target_branch,
    base_sha: base ?? "",
    target_sha: target,
    draft: subject.draft,
    labels: subject.labels,
    fork: subject.source_repository_id !== subject.repository_id,
    types: [...types],
  };
}
