/** `forgeline pipeline declare-lost`. */
import { Command } from "commander";
import { valueOf } from "../../connection/api.ts";
import { runNotFoundText } from "../../connection/repository.ts";
import { UsageError } from "../../connection/settings.ts";
import { contextOf } from "../../context.ts";

export function declareLostCommand(): Command {
  return new Command("declare-lost")
    .description("End a job whose runner is silent and will not come back")
    .argument("<run>", "number or id")
    .argument("<job>", "id, key or name; `pipeline view` shows it")
    .action(async (id: string, wanted: string, _flags: object, command: Command) => {
      const context = await contextOf(command);
      const path = { ...(await context.repository()), id };
      const jobs = await valueOf(
        context.api.GET("/repos/{owner}/{repo}/pipelines/{id}/jobs", { params: { path } }),
        runNotFoundText(path, id),
      );
      const found = jobs.filter(({ id: jobId, key, name }) => [jobId, key, name].includes(wanted));
      const [job] = found;
      if (!job || found.length > 1)
        throw new UsageError(
          job
            ? `${wanted} is ${found.length} jobs; name one of them: ${found.map(({ name }) => name).join(", ")}`
            : `#${id} has no job ${wanted}; its jobs: ${jobs.map(({ name }) => name).join(", ")}`,
        );
      const lost = await valueOf(
        context.api.POST("/repos/{owner}/{repo}/pipelines/{id}/jobs/{job}/lost", {
          params: { path: { ...path, job: job.id } },
        }),
      );
      context.print(lost, () => `${lost.name} was declared lost`);
    });
}
