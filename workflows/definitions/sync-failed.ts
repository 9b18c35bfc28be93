/** A sync whose other side, or whose conflict, somebody has to see to: it is recorded, and its work has failed. */
import { ApplicationFailure } from "@temporalio/workflow";

/** `problem`: a sentence, as the history of the mirror shows it. */
export function syncFailed(problem: string): ApplicationFailure {
  return ApplicationFailure.nonRetryable(problem, "SyncFailed");
}
