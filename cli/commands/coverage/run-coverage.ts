/** `forgeline pipeline coverage RUN`. */
import { Command } from "commander";
import { everyPage } from "../../connection/pages.ts";
import { contextOf } from "../../context.ts";
import { renderList } from "../../output/table.ts";

export function runCoverageCommand(): Command {
  return new Command("coverage")
    .argument("<run>", "id or number")
    .description("Which files tests of a run cover, those with the most lines that are not covered first")
    .action(show);
}

async function show(id: string, _options: object, command: Command): Promise<void> {
  const context = await contextOf(command);
  const path = { ...(await context.repository()), id };
  const found = await everyPage((query) =>
    context.api.GET("/repos/{owner}/{repo}/pipelines/{id}/coverage", { params: { path, query } }),
  );
  context.print(found, () =>
    renderList(
      "covered files",
      ["COVERED", "LINES", "JOB", "FILE"],
      found.map(({ percent, lines_covered: covered, lines_total: total, job, path: file }) => [
        `${percent}%`,
        `${covered}/${total}`,
        job.label,
        file,
      ]),
    ),
  );
}
