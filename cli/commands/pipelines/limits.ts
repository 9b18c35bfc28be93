/** `forgeline pipeline limits`: what the pipelines of a repository may have at most. */
import { Command } from "commander";
import { valueOf } from "../../connection/api.ts";
import { contextOf } from "../../context.ts";
import { pipelineLimitsTable } from "../../output/pipeline-limits.ts";

export function limitsCommand(): Command {
  return new Command("limits")
    .description("What the pipelines of this repository may have at most, and who has set it")
    .action(async (_options: unknown, command: Command) => {
      const { api, print, repository } = await contextOf(command);
      const path = await repository();
      const { limits } = await valueOf(
        api.GET("/repos/{owner}/{repo}/pipeline-limits", { params: { path } }),
      );
      print(limits, () => pipelineLimitsTable(limits));
    });
}
