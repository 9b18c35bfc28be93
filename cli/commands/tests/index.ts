/** `forgeline test`: tests that jobs of a repository report, and the quarantine. */
import { Command, Option } from "commander";
import { testSorts } from "@forgeline/client/generated/choices.ts";
import { valueOf } from "../../connection/api.ts";
import { everyPage } from "../../connection/pages.ts";
import { contextOf } from "../../context.ts";
import { addExamples } from "../../output/examples.ts";
import { renderList } from "../../output/table.ts";
import { terminalSafe } from "../../output/terminal-safe.ts";

interface ListOptions {
  flaky?: true;
  quarantined?: true;
  sort?: (typeof testSorts)[number];
  search?: string;
}

const one = "/repos/{owner}/{repo}/tests/{test}";

export function testCommand(): Command {
  const test = new Command("test").description("Tests that jobs report");
  test
    .command("list")
    .description("List tests of the repository")
    .addOption(new Option("--flaky", "only those with both outcomes on one commit").conflicts("quarantined"))
    .option("--quarantined", "only those in quarantine")
    .addOption(new Option("--sort <order>", "what comes first").choices(testSorts))
    .option("--search <words>", "only those whose suite and name hold these words")
    .action(list);
  test
    .command("history <test>")
    .description("Results of a test, given by its id, newest first")
    .action(history);
  test
    .command("quarantine <test>")
    .description("Put a test into quarantine: its failures are shown apart")
    .option("-m, --reason <text>", "shown beside it")
    .action(quarantine);
  test.command("release <test>").description("Take a test out of quarantine").action(release);
  addExamples(test, [
    "forgeline test list --flaky",
    "forgeline test list --sort slowest",
    'forgeline test quarantine TEST -m "issue 12"',
  ]);
  return test;
}

function onlyOf({ flaky, quarantined }: ListOptions): { only?: "flaky" | "quarantined" } {
  if (flaky) return { only: "flaky" };
  return quarantined ? { only: "quarantined" } : {};
}

async function list(options: ListOptions, command: Command): Promise<void> {
  const context = await contextOf(command);
  const path = await context.repository();
  const { sort, search: q } = options;
  const filter = { ...onlyOf(options), ...(sort ? { sort } : {}), ...(q ? { q } : {}) };
  const found = await everyPage((page) =>
    context.api.GET("/repos/{owner}/{repo}/tests", { params: { path, query: { ...page, ...filter } } }),
  );
  context.print(found, () =>
    renderList(
      "tests",
      ["TEST", "FAILURES", "RESULTS", "DURATION", "MARKS", "ID"],
      found.map((each) => [
        each.suite === "" ? each.name : `${each.suite} › ${each.name}`,
        String(each.failures_count),
        String(each.results_count),
        each.typical_duration_ms === null ? "" : `${each.typical_duration_ms} ms`,
        [each.flaky ? "flaky" : "", each.quarantine ? "quarantined" : ""].filter(Boolean).join(", "),
        each.id,
      ]),
    ),
  );
}

async function history(test: string, _options: object, command: Command): Promise<void> {
  const context = await contextOf(command);
  const path = { ...(await context.repository()), test };
  const found = await everyPage((query) => context.api.GET(`${one}/results`, { params: { path, query } }));
  context.print(found, () =>
    renderList(
      "results",
      ["RESULT", "RUN", "JOB", "COMMIT", "WHEN", "MESSAGE"],
      found.map(({ status, pipeline, job, sha, at, message }) => [
        status,
        String(pipeline.number),
        job.label,
        sha.slice(0, 10),
        at,
        message ?? "",
      ]),
    ),
  );
}

async function quarantine(test: string, { reason }: { reason?: string }, command: Command): Promise<void> {
  const context = await contextOf(command);
  const path = { ...(await context.repository()), test };
  const body = reason === undefined ? {} : { reason };
  const done = await valueOf(context.api.PUT(`${one}/quarantine`, { params: { path }, body }));
  context.print(done, () => `${terminalSafe(done.name)} is in quarantine`);
}

async function release(test: string, _options: object, command: Command): Promise<void> {
  const context = await contextOf(command);
  const path = { ...(await context.repository()), test };
  await valueOf(context.api.DELETE(`${one}/quarantine`, { params: { path } }));
  context.print({ released: test }, () => `${terminalSafe(test)} is not in quarantine any more`);
}
