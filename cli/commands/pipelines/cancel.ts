/** `forgeline pipeline cancel`. */
import { Command } from "commander";
import { valueOf } from "../../connection/api.ts";
import { runNotFoundText } from "../../connection/repository.ts";
import { contextOf } from "../../context.ts";

export function cancelCommand(): Command {
  return new Command("cancel")
    .description("Cancel a run; steps marked `always` still run")
    .argument("<run>", "number or id")
    .option("--force", "skip the steps marked `always` too")
    .action(async (id: string, flags: { force?: boolean }, command: Command) => {
      const context = await contextOf(command);
      const path = { ...(await context.repository()), id };
      const run = await valueOf(
        context.api.POST("/repos/{owner}/{repo}/pipelines/{id}/cancel", {
          params: { path },
          body: { force: flags.force ?? false },
        }),
        runNotFoundText(path, id),
      );
      // Jobs get their grace period first, and steps that run always.
      context.print(run, () =>
        run.finished_at === null ? `#${run.number} is being cancelled` : `#${run.number} is ${run.status}`,
      );
    });
}
