/** Which files run for a merge request when its source branch is pushed, and so not for the push as well. */
import { matchTriggers } from "@forgeline/compiler/triggers.ts";
import { maxChangedPaths, type PipelineEvent } from "@forgeline/schemas/pipeline-file/event.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import type { RepositoryFiles } from "../../../platform/git/storage/repository-files.ts";
import type { CompiledFile } from "../compile/pipeline-files.ts";
import { findOfSource, type SourceSubject } from "./subjects.store.ts";

/** The number of the merge request for which the file runs; undefined: it runs for none. */
export type RunsInstead = (file: CompiledFile) => number | undefined;

const forNone: RunsInstead = () => undefined;

/** For the push of a branch of the repository. */
export async function runsInstead(
  { db, files }: { db: Queryable; files: Pick<RepositoryFiles, "changedPaths"> },
  repositoryId: string,
  event: PipelineEvent,
): Promise<RunsInstead> {
  if (event.branch === null || event.name !== "push") return forNone;
  const subjects = await findOfSource(db, repositoryId, event.branch);
  const events = await Promise.all(
    subjects.map(async (subject): Promise<PipelineEvent> => {
      const change = { before: null, after: event.sha, ref: "", defaultBranch: subject.target_branch };
      const changedPaths = await files.changedPaths(repositoryId, change, maxChangedPaths);
      return { ...event, name: "merge_request", branch: null, changedPaths, mergeRequest: factsOf(subject) };
    }),
  );
  return ({ plan, on }) =>
    plan === null ? undefined : events.find((one) => matchTriggers(on, one).run)?.mergeRequest?.number;
}

function factsOf(subject: SourceSubject): NonNullable<PipelineEvent["mergeRequest"]> {
  return {
    number: subject.number,
    title: subject.title,
    author: subject.author ?? "",
    source_branch: "",
    target_branch: subject.target_branch,
    base_sha: "",
    draft: subject.draft,
    labels: subject.labels,
    fork: false,
    types: ["updated"],
  };
}
