/** `forgeline pipeline keep-open`: containers of jobs are kept for a shell when they fail. */
import { Command } from "commander";
import { UsageError } from "../../connection/settings.ts";
import { valueOf } from "../../connection/api.ts";
import { contextOf, type CliContext } from "../../context.ts";
import { terminalSafe } from "../../output/terminal-safe.ts";
import { jobLabel } from "../../output/job-label.ts";
import { findJob, jobsOfRun } from "../pipelines/find-job.ts";

interface RunPath {
  owner: string;
  repo: string;
  id: string;
}

export function keepOpenCommand(): Command {
  return new Command("keep-open")
    .description("Keep the container of jobs that fail for a shell, an hour at most; needs Maintain")
    .argument("<run>", "number or id")
    .option("-j, --job <job>", "only this job: its id, key or name")
    .option("--end", "stop it; jobs that are kept open end now")
    .action(async (id: string, flags: { job?: string; end?: boolean }, command: Command) => {
      const context = await contextOf(command);
      const path = { ...(await context.repository()), id };
      const job = flags.job && findJob(await jobsOfRun(context, path), flags.job).id;
      if (!flags.end) return keepOpen(context, path, job ? [job] : undefined);
      await valueOf(
        context.api.DELETE("/repos/{owner}/{repo}/pipelines/{id}/keep-open", {
          params: { path, query: job ? { job } : {} },
        }),
      );
      context.print(null, () => "No longer kept open");
    });
}

const slotsNote =
  "note: each job that fails then keeps a slot of its runner for up to an hour; keep-open RUN --end frees them\n";

/** Asks for it and tells which jobs are. Default: all of the run. */
export async function keepOpen(context: CliContext, path: RunPath, jobs?: readonly string[]): Promise<void> {
  const kept = await valueOf(
    context.api.PUT("/repos/{owner}/{repo}/pipelines/{id}/keep-open", {
      params: { path },
      body: jobs ? { jobs: [...jobs] } : {},
    }),
  );
  if (kept.some(({ refused }) => refused === null)) process.stderr.write(slotsNote);
  context.print(kept, () =>
    kept.map((job) => `${terminalSafe(jobLabel(job))}: ${job.refused ?? whenKept(job)}`).join("\n"),
  );
}

function whenKept(job: { finished_at: string | null }): string {
  return job.finished_at === null ? "kept open if it fails" : "over; kept open if it runs again and fails";
}

/** The jobs that a rerun from there concerns; undefined: all. Throws `UsageError` for a stage without jobs. */
export async function jobsOfRerun(
  context: CliContext,
  path: RunPath,
  from: string,
): Promise<string[] | undefined> {
  if (from === "all") return undefined;
  const jobs = await jobsOfRun(context, path);
  const [kind, name = ""] = from.split(/:(.*)/s);
  if (kind === "job") return jobs.filter((job) => [job.id, job.key].includes(name)).map((job) => job.id);
  const isWanted = (job: (typeof jobs)[number]) =>
    kind === "stage" ? job.stage === name : job.status !== "success";
  const wanted = jobs.filter(isWanted).map((job) => job.id);
  if (wanted.length === 0) throw new UsageError(`the run has no jobs to rerun from ${from}`);
  return wanted;
}
