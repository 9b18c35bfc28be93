/** The catalogue of reasons (`pipelines.md` section 5): a message for people for each reason, and what would change it. */
import { skipSentences } from "@forgeline/compiler/skip-reasons.ts";

/** Not which run it was: not everybody who sees this one may see that. */
function childSentence(status: string): string {
  const ends: Record<string, string> = {
    cancelled: "was cancelled",
    error: "ended with an error",
    deleted: "was deleted with its repository",
  };
  return `The pipeline that it started ${ends[status] ?? "failed"}.`;
}

const sentences: Record<string, (detail: string) => string> = {
  // waiting, queued
  stage_order: (stage) => (stage ? `Waits for stage ${stage}.` : "Waits for its stage."),
  needs: (jobs) => `Waits for ${jobs || "the jobs it needs"}.`,
  max_parallel: () => "Waits until fewer combinations of its matrix run at the same time.",
  fork: () => "Waits until somebody with Write approves this commit, because it comes from a fork.",
  approval: (what) => `Waits for approval${what === "stage" ? " of its stage" : ""}.`,
  concurrency: (group) => `Waits for a slot of the concurrency group ${group}.`,
  environment_wait: (name) => `Waits because the environment ${name} asks for a wait before each deployment.`,
  child_waits: () => "The pipeline that it started waits.",
  retry: () => "Failed; waits for its next attempt.",
  no_free_runner: () => "Waits for a runner: all matching runners are busy.",
  no_matching_runner: () => "No connected runner has all the labels that the job asks for.",
  paused: () => "The matching runners are paused, draining or not able to run jobs.",
  // failed
  exit: (code) => `A step ended with exit code ${code}.`,
  timeout: () => "It ran longer than its time limit.",
  idle_timeout: () => "A step printed nothing for longer than its idle limit.",
  oom: () => "A step exceeded its memory limit and was killed.",
  approval_rejected: () => "Its approval was rejected.",
  environment_refused: (name) => `This run may not deploy to the environment ${name}.`,
  environment_older: (name) =>
    `A newer run has deployed to the environment ${name}, which refuses what is older.`,
  environment_deleted: (name) =>
    `The environment ${name} was deleted while the job waited for it. Run the job again to deploy to a new one of that name.`,
  artifact_required: () => "A required artifact was missing.",
  child: childSentence,
  outputs_too_large: () =>
    "The outputs that it takes from the pipeline that it started are larger than 1 MiB.",
  disk_quota: () => "The job exceeded its disk limit.",
  outputs_closed: () => "The job made the directory of $CI_OUTPUT inaccessible to the runner.",
  // error
  trigger_refused: () => "The pipeline that it names cannot be started.",
  config: () => "The pipeline file has errors.",
  concurrency_deadlock: () => "It would wait forever for a slot of a concurrency group.",
  runner_lost: () => "The runner stopped answering and its lease ran out.",
  secret_missing: (name) => `The secret ${name} does not exist, or this run may not have it.`,
  not_signed: () => "The runner executes only what a key that it trusts has signed.",
  id_token_refused: () => "This run may not have identity tokens.",
  clone: () => "The repository could not be cloned.",
  image_pull: () => "The image could not be pulled.",
  service_not_ready: () => "A service did not become ready in time.",
  resources: () => "It asks for more than the runner allows a job to use.",
  artifact_upload: () => "An artifact could not be uploaded.",
  artifact_download: () => "An artifact of a job that it needs could not be fetched.",
  artifact_missing: () => "A job that it needs left no artifact of that name.",
  queue_timeout: () => "No runner took the job within its queue limit.",
  disk_full: () => "The runner's disk is full.",
  infra: () => "The runner was taken out of service while the job ran.",
  internal: (id) => `Something went wrong on our side (${id}).`,
  // cancelled
  user: (name) => `Cancelled by ${name}.`,
  parent: () => "Cancelled because the job that started this pipeline was stopped.",
  fail_fast: () => "Cancelled because another combination of its matrix failed.",
  mr_closed: () => "Cancelled because the merge request was closed.",
  merge_queue: () => "Cancelled because the merge queue does not need it any more.",
  superseded: (run) => `A newer run ${run ? `(${run}) ` : ""}took its place.`,
  // skipped
  ...skipSentences,
  approval_expired: () => "It was not approved in time.",
};

/** All words of the catalogue. */
export const reasonWords: readonly string[] = Object.keys(sentences);

/** What comes before the colon, if it is in the catalogue; `other` if not, so that metrics have only so many of them. */
export function reasonWord(reason: string | null): string {
  const [word = ""] = (reason ?? "").split(":");
  return Object.hasOwn(sentences, word) ? word : "other";
}

/** `null` only for `null`; an unknown reason is shown as it is. */
export function reasonSentence(reason: string | null): string | null {
  if (reason === null) return null;
  const split = reason.indexOf(":");
  const word = split < 0 ? reason : reason.slice(0, split);
  return sentences[word]?.(split < 0 ? "" : reason.slice(split + 1)) ?? reason;
}
