/** `forgeline pipeline summary RUN`. */
import { Command } from "commander";
import { everyPage } from "../../connection/pages.ts";
import { contextOf } from "../../context.ts";
import { terminalSafe } from "../../output/terminal-safe.ts";

export function summaryCommand(): Command {
  return new Command("summary")
    .argument("<run>", "id or number")
    .description("The summaries that jobs of a run wrote, as Markdown, and reports that could not be read")
    .action(show);
}

async function show(id: string, _options: object, command: Command): Promise<void> {
  const context = await contextOf(command);
  const path = { ...(await context.repository()), id };
  const reports = await everyPage((query) =>
    context.api.GET("/repos/{owner}/{repo}/pipelines/{id}/reports", { params: { path, query } }),
  );
  context.print(reports, () => {
    const summaries = reports.flatMap(({ job, summary }) =>
      summary === null ? [] : [`${job.label}:\n${summary.trimEnd()}`],
    );
    const problems = reports.flatMap(({ job, problems: found }) =>
      found.map(({ kind, path: file, message }) => `${job.label}, ${file ?? kind}: ${message}`),
    );
    const shown = [...summaries, ...problems].join("\n\n");
    return shown === "" ? "The run has no summary" : shown.split("\n").map(terminalSafe).join("\n");
  });
}
