/** `forgeline pipeline export`: the history of runs as JSON lines. */
import { Command } from "commander";
import { openStream } from "../../connection/stream.ts";
import { contextOf } from "../../context.ts";
import { printStream } from "../../output/print-stream.ts";

interface Flags {
  since?: string;
  until?: string;
}

export function exportCommand(): Command {
  return new Command("export")
    .description("Print runs that have ended, one line of JSON each")
    .option("--since <time>", "only runs that ended then or later, such as 2026-11-01T00:00:00Z")
    .option("--until <time>", "only runs that ended before")
    .action(async ({ since, until }: Flags, command: Command) => {
      const context = await contextOf(command);
      const { owner, repo } = await context.repository();
      const request = {
        path: `/repos/${[owner, repo].map(encodeURIComponent).join("/")}/pipelines/export`,
        query: { ...(since ? { since } : {}), ...(until ? { until } : {}) },
        accept: "application/x-ndjson",
      };
      const absent = `there is no repository ${owner}/${repo} whose runs you may read`;
      await printStream(await openStream(context.connection, request, absent));
    });
}
