/** `forgeline coverage`: how much tests of a branch cover, run by run. */
import { Command } from "commander";
import { everyPage } from "../../connection/pages.ts";
import { contextOf } from "../../context.ts";
import { addExamples } from "../../output/examples.ts";
import { renderList } from "../../output/table.ts";

export function coverageCommand(): Command {
  const coverage = new Command("coverage").description("How much of the code tests cover");
  coverage
    .command("list")
    .description("List the coverage of the runs of a branch, newest first")
    .option("--branch <branch>", "this branch (default: the default branch)")
    .action(list);
  addExamples(coverage, ["forgeline coverage list --branch main"]);
  return coverage;
}

async function list({ branch }: { branch?: string }, command: Command): Promise<void> {
  const context = await contextOf(command);
  const path = await context.repository();
  const of = branch === undefined ? {} : { branch };
  const found = await everyPage((query) =>
    context.api.GET("/repos/{owner}/{repo}/coverage", { params: { path, query: { ...query, ...of } } }),
  );
  context.print(found, () =>
    renderList(
      "runs with coverage",
      ["RUN", "COVERED", "LINES", "COMMIT", "WHEN"],
      found.map(({ pipeline, percent, lines_covered: covered, lines_total: total, sha, at }) => [
        `#${pipeline.number}`,
        `${percent}%`,
        `${covered}/${total}`,
        sha.slice(0, 8),
        at,
      ]),
    ),
  );
}
