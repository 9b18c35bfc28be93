/** `forgeline pipeline rerun`. */
import { Command } from "commander";
import { valueOf } from "../../connection/api.ts";
import { runNotFoundText } from "../../connection/repository.ts";
import { contextOf, type CliContext } from "../../context.ts";
import { jobsOfRerun, keepOpen } from "../shells/keep-open.ts";
import { findJob, jobsOfRun } from "./find-job.ts";
import { followRun } from "./follow.ts";

interface RerunFlags {
  from: string;
  debug?: boolean;
  keepOpen?: boolean;
  watch?: boolean;
}

export function rerunCommand(): Command {
  return new Command("rerun")
    .description("Rerun what failed, or more; earlier successes are kept")
    .argument("<run>", "number or id")
    .option("--from <what>", "failed, all, stage:NAME or job:JOB (its key, id or name)", "failed")
    .option("--debug", "print each command before it runs, and more about the set-up")
    .option("--keep-open", "keep the container of each of its jobs that fails for a shell; needs Maintain")
    .option("-w, --watch", "follow the run; exit with its result")
    .action(async (id: string, flags: RerunFlags, command: Command) => {
      const context = await contextOf(command);
      const path = { ...(await context.repository()), id };
      const from = await fromOf(context, path, flags.from);
      // Before it begins: a job may fail at once.
      if (flags.keepOpen) await keepOpen(context, path, await jobsOfRerun(context, path, from));
      const run = await valueOf(
        context.api.POST("/repos/{owner}/{repo}/pipelines/{id}/rerun", {
          params: { path },
          body: { from, debug: flags.debug ?? false },
        }),
        runNotFoundText(path, id),
      );
      context.print(run, () => `#${run.number} runs again`);
      if (flags.watch) process.exitCode = await followRun(context, { pipeline: run.id, logs: true });
    });
}

/** The server knows jobs by id and key; a key alone is all combinations of a matrix. */
async function fromOf(
  context: CliContext,
  path: { owner: string; repo: string; id: string },
  from: string,
): Promise<string> {
  const wanted = /^job:(?!job_)(.+)$/.exec(from)?.[1];
  if (wanted === undefined) return from;
  const jobs = await jobsOfRun(context, path);
  return jobs.some((job) => job.key === wanted) ? from : `job:${findJob(jobs, wanted).id}`;
}
