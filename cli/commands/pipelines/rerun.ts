/** `forgeline pipeline rerun`. */
import { Command } from "commander";
import { valueOf } from "../../connection/api.ts";
import { runNotFoundText } from "../../connection/repository.ts";
import { contextOf } from "../../context.ts";
import { followRun } from "./follow.ts";

export function rerunCommand(): Command {
  return new Command("rerun")
    .description("Rerun what failed, or more; earlier successes are kept")
    .argument("<run>", "number or id")
    .option("--from <what>", "failed, all, stage:NAME or job:NAME", "failed")
    .option("-w, --watch", "follow the run; exit with its result")
    .action(async (id: string, flags: { from: string; watch?: boolean }, command: Command) => {
      const context = await contextOf(command);
      const path = { ...(await context.repository()), id };
      const run = await valueOf(
        context.api.POST("/repos/{owner}/{repo}/pipelines/{id}/rerun", {
          params: { path },
          body: { from: flags.from },
        }),
        runNotFoundText(path, id),
      );
      context.print(run, () => `#${run.number} runs again`);
      if (flags.watch) process.exitCode = await followRun(context, { pipeline: run.id, logs: true });
    });
}
