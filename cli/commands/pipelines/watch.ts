/** `forgeline pipeline watch`: follow a run to its end. */
import { Command } from "commander";
import { contextOf } from "../../context.ts";
import { followRun } from "./follow.ts";
import { newestRun } from "./newest-run.ts";

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
