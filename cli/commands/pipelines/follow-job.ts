/** `forgeline pipeline logs -f --job`: also of a job that is not there yet, as a combination of a matrix that the run finds out. */
import { finalStatuses } from "@forgeline/client/generated/statuses.ts";
import { valueOf } from "../../connection/api.ts";
import { runNotFoundText } from "../../connection/repository.ts";
import { UsageError } from "../../connection/settings.ts";
import type { CliContext } from "../../context.ts";
import { errorColors } from "../../output/colors.ts";
import { terminalSafe } from "../../output/terminal-safe.ts";
import type { WatchFilter } from "./follow.ts";
import { followText } from "./follow-text.ts";
import { isJobOf, jobsOfRun, noJobText, requireJob } from "./find-job.ts";

type RunPath = { owner: string; repo: string; id: string };

/** As `followText`. Throws `UsageError` if the run has ended, or ends, without such a job. */
export async function followJob(
  context: CliContext,
  id: string,
  filter: WatchFilter & { job: string },
): Promise<number> {
  const path = { ...(await context.repository()), id };
  // In this order: what has ended makes no more jobs.
  const ended = await hasEnded(context, path);
  const jobs = await jobsOfRun(context, path);
  if (isJobOf(jobs, filter.job)) return followText(context, id, filter);
  if (ended) requireJob(jobs, filter.job);
  const note = `${noJobText(jobs, filter.job)}; waiting for it, or for the end of the run`;
  process.stderr.write(`${errorColors.dim(`… ${terminalSafe(note)}`)}\n`);
  const status = await followText(context, id, filter);
  const made = await jobsOfRun(context, path);
  if (!isJobOf(made, filter.job)) throw new UsageError(`the run has ended: ${noJobText(made, filter.job)}`);
  return status;
}

async function hasEnded({ api }: CliContext, path: RunPath): Promise<boolean> {
  const read = api.GET("/repos/{owner}/{repo}/pipelines/{id}", { params: { path } });
  const { status } = await valueOf(read, runNotFoundText(path, path.id));
  return finalStatuses.some((final) => final === status);
}
