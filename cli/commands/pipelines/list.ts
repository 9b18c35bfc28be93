/** `forgeline pipeline list`: the newest runs. */
import { Command } from "commander";
import { valueOf } from "../../connection/api.ts";
import { contextOf } from "../../context.ts";
import { parseCount } from "../../options/count.ts";
import { formatDuration, paintStatus, shortRef } from "../../output/style.ts";
import { renderList } from "../../output/table.ts";
import { terminalSafe } from "../../output/terminal-safe.ts";

const columns = ["RUN", "STATUS", "REF", "COMMIT", "MESSAGE", "TIME", "CREATED", "FILE"];

interface Flags {
  status?: string;
  ref?: string;
  commit?: string;
  pipeline?: string;
  limit: number;
}

export function listCommand(): Command {
  return new Command("list")
    .description("List the newest runs")
    .option("--status <status>", "only runs with this status")
    .option("--ref <ref>", "only runs of this branch or tag")
    .option("--commit <sha>", "only runs of this commit, by its full id")
    .option("--pipeline <name>", "only runs of this file in .forgeline/")
    .option("-n, --limit <count>", "number of results, at most 100", parseCount, 20)
    .action(async (flags: Flags, command: Command) => {
      const context = await contextOf(command);
      const query = {
        per_page: flags.limit,
        ...(flags.status ? { status: flags.status as "running" } : {}),
        ...(flags.ref ? { ref: flags.ref } : {}),
        ...(flags.commit ? { sha: flags.commit } : {}),
        ...(flags.pipeline ? { pipeline: flags.pipeline } : {}),
      };
      const runs = await valueOf(
        context.api.GET("/repos/{owner}/{repo}/pipelines", {
          params: { path: await context.repository(), query },
        }),
      );
      const row = (r: (typeof runs)[number]) => [
        `#${r.number}`,
        paintStatus(r.status),
        shortRef(r.ref),
        r.sha.slice(0, 8),
        terminalSafe(r.commit.message.split("\n")[0] ?? "").slice(0, 50),
        formatDuration(r.duration),
        r.created_at,
        terminalSafe(r.pipeline),
      ];
      context.print(runs, () => renderList("runs", columns, runs.map(row)));
    });
}
