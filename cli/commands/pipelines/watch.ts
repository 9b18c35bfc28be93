/** `forgeline pipeline watch`: follow a run to its end. */
import { Command } from "commander";
import { valueOf } from "../../connection/api.ts";
import { UsageError } from "../../connection/settings.ts";
import { contextOf, type CliContext } from "../../context.ts";
import { followRun } from "./follow.ts";

export function watchCommand(): Command {
  return new Command("watch")
    .description("Follow a run and its logs; exit with its result")
    .argument("[run]", "number or id (default: the newest)")
    .option("--no-logs", "show status changes only")
    .action(async (id: string | undefined, flags: { logs: boolean }, command: Command) => {
      const context = await contextOf(command);
      process.exitCode = await followRun(context, {
        pipeline: id ?? (await newestRun(context)),
        logs: flags.logs,
      });
    });
}

async function newestRun(context: CliContext): Promise<string> {
  const path = await context.repository();
  const [newest] = await valueOf(
    context.api.GET("/repos/{owner}/{repo}/pipelines", { params: { path, query: { per_page: 1 } } }),
  );
  if (!newest) throw new UsageError(`${path.owner}/${path.repo} has no run yet`);
  return newest.id;
}
