/** `forgeline pipeline declare-lost`. */
import { Command } from "commander";
import { valueOf } from "../../connection/api.ts";
import { contextOf } from "../../context.ts";
import { jobLabel } from "../../output/job-label.ts";
import { terminalSafe } from "../../output/terminal-safe.ts";
import { findJob, jobsOfRun } from "./find-job.ts";

export function declareLostCommand(): Command {
  return new Command("declare-lost")
    .description("End a job whose runner is silent and will not come back")
    .argument("<run>", "number or id")
    .argument("<job>", "id, key or name; `pipeline view` shows it")
    .action(async (id: string, wanted: string, _flags: object, command: Command) => {
      const context = await contextOf(command);
      const path = { ...(await context.repository()), id };
      const job = findJob(await jobsOfRun(context, path), wanted);
      const lost = await valueOf(
        context.api.POST("/repos/{owner}/{repo}/pipelines/{id}/jobs/{job}/lost", {
          params: { path: { ...path, job: job.id } },
        }),
      );
      context.print(lost, () => `${terminalSafe(jobLabel(lost))} was declared lost`);
    });
}
