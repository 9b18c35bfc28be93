/** `forgeline pipeline events`: the history of a run, every change of a status. */
import { Command } from "commander";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { valueOf } from "../../connection/api.ts";
import { everyPage } from "../../connection/pages.ts";
import { runNotFoundText } from "../../connection/repository.ts";
import { contextOf } from "../../context.ts";
import { jobLabel } from "../../output/job-label.ts";
import { paintStatus } from "../../output/style.ts";
import { renderList } from "../../output/table.ts";

type Run = Schemas["Pipeline"];
type Change = Schemas["PipelineTransition"];

export function eventsCommand(): Command {
  return new Command("events")
    .description(
      "List every change of a status in a run, oldest first (as they happen: pipeline watch --no-logs)",
    )
    .argument("<run>", "number or id")
    .action(show);
}

async function show(id: string, _flags: object, command: Command): Promise<void> {
  const context = await contextOf(command);
  const path = { ...(await context.repository()), id };
  const changes = await everyPage((page) =>
    context.api.GET("/repos/{owner}/{repo}/pipelines/{id}/events", { params: { path, query: page } }),
  );
  // After the changes, so that it knows all that they name.
  const run = await valueOf(
    context.api.GET("/repos/{owner}/{repo}/pipelines/{id}", { params: { path } }),
    runNotFoundText(path, id),
  );
  const names = namesOf(run);
  const rowOf = (change: Change) => [
    change.at,
    nameOf(change, names),
    change.old_status ?? "",
    paintStatus(change.new_status),
    change.message ?? change.reason ?? "",
    change.actor ?? "",
  ];
  context.print(changes, () =>
    renderList("events", ["TIME", "WHAT", "FROM", "TO", "WHY", "BY"], changes.map(rowOf)),
  );
}

function nameOf({ node, node_id: id, attempt }: Change, names: ReadonlyMap<string, string>): string {
  const name = names.get(id) ?? `${node} ${id}`;
  return node === "step" && attempt !== null && attempt > 1 ? `${name} (attempt ${attempt})` : name;
}

/** What is in a run, by its ids, in words. */
function namesOf(run: Run): ReadonlyMap<string, string> {
  const names = new Map([[run.id, "run"]]);
  for (const stage of run.stages) {
    names.set(stage.id, `stage ${stage.name}`);
    for (const job of stage.jobs) {
      const label = jobLabel(job);
      names.set(job.id, `job ${label}`);
      for (const { id, attempt, steps } of job.attempts) {
        names.set(id, `attempt ${attempt} of ${label}`);
        for (const step of steps) names.set(step.id, `step ${label} › ${step.name}`);
      }
    }
  }
  return names;
}
