/** `forgeline pipeline tests RUN`. */
import { Command, Option } from "commander";
import { testStatuses } from "@forgeline/client/generated/choices.ts";
import { everyPage } from "../../connection/pages.ts";
import { contextOf } from "../../context.ts";
import { renderList } from "../../output/table.ts";

interface Options {
  status?: (typeof testStatuses)[number];
}

export function runTestsCommand(): Command {
  return new Command("tests")
    .argument("<run>", "id or number")
    .description("Tests that jobs of a run report, failures first")
    .addOption(new Option("--status <status>", "only those that ended so").choices(testStatuses))
    .action(show);
}

async function show(id: string, { status }: Options, command: Command): Promise<void> {
  const context = await contextOf(command);
  const path = { ...(await context.repository()), id };
  const found = await everyPage((page) =>
    context.api.GET("/repos/{owner}/{repo}/pipelines/{id}/tests", {
      params: { path, query: { ...page, ...(status ? { status } : {}) } },
    }),
  );
  context.print(found, () =>
    renderList(
      "tests",
      ["RESULT", "TEST", "JOB", "DURATION", "MARKS", "MESSAGE"],
      found.map(({ test, job, duration_ms: ms, flaky, quarantined, message, ...result }) => [
        result.status,
        test.suite === "" ? test.name : `${test.suite} › ${test.name}`,
        job.label,
        ms === null ? "" : `${ms} ms`,
        [flaky ? "flaky" : "", quarantined ? "quarantined" : ""].filter(Boolean).join(", "),
        message ?? "",
      ]),
    ),
  );
}
