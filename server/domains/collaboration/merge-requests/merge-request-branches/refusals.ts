/** What operations on branches of merge requests say when they cannot. */
import { AppError } from "../../../../platform/app-error.ts";

export function conflict(message: string, extra?: Record<string, unknown>): AppError {
  return new AppError("conflict", extra ? { message, extra } : { message });
}

/** For a request. */
const patienceMs = 120_000;
const tooLongText = "This takes too long here: do it with Git, and push.";

/** Ends what takes too long for whoever waits; throws `unavailable` then. */
export async function withPatience<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const signal = AbortSignal.timeout(patienceMs);
  return work(signal).catch((error: unknown) => {
    throw signal.aborted ? new AppError("unavailable", { message: tooLongText, cause: error }) : error;
  });
}
