/** The end of a job's services, and what is told of those that had ended before. */
import type { FailedService } from "../engine/engine.ts";
import { outcomeWithin } from "../outcome-within.ts";
import type { PreparedJob } from "./job-context.ts";
import { warn } from "./warn.ts";

/** Longer, a daemon that is away keeps no result back; what services printed last is lost then. */
const deadlineMs = 15_000;

/** Never rejects. A job whose services were not ready ends with that, and needs no warning beside it. */
export async function endServices({
  environment,
  record,
  logger,
}: Pick<PreparedJob, "environment" | "record" | "logger">): Promise<void> {
  const outcome = await outcomeWithin(environment.endServices(), deadlineMs);
  if (outcome === "late" || outcome instanceof Error)
    return logger.warn({ err: outcome }, "the last lines of a job's services may be missing");
  if (record.prepared) for (const failed of outcome) warn(record, sentenceOf(failed));
}

function sentenceOf({ key, exitCode, isOom }: FailedService): string {
  const why = isOom ? ", because it exceeded its memory limit" : "";
  return `Service ${key} ended with exit code ${exitCode} while the job was running${why}. Its log may say more.`;
}
