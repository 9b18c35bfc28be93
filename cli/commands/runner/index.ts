/** `forgeline runner`: register, start and look after runners. */
import { Command } from "commander";
import { valueOf } from "../../connection/api.ts";
import { contextOf, type CliContext } from "../../context.ts";
import { renderTable } from "../../output/table.ts";
import { addCommand } from "./add.ts";
import { registerCommand, startCommand } from "./program.ts";

export function runnerCommand(): Command {
  const runner = new Command("runner").description("Runners: the agents that execute jobs");
  for (const make of [
    addCommand,
    registerCommand,
    startCommand,
    listCommand,
    () => switchCommand("drain"),
    () => switchCommand("resume"),
  ])
    runner.addCommand(make());
  return runner;
}

function listRunners(context: CliContext) {
  return valueOf(context.api.GET("/runners", { params: { query: { per_page: 100 } } }));
}

function listCommand(): Command {
  return new Command("list")
    .description("Runners, their state and load")
    .action(async (_flags: unknown, command: Command) => {
      const context = await contextOf(command);
      const runners = await listRunners(context);
      const row = (r: (typeof runners)[number]) => [
        r.id,
        r.name,
        r.status,
        `${r.running}/${r.capacity}`,
        r.labels.join(","),
        r.version,
        r.last_seen_at ?? "never",
      ];
      context.print(runners, () =>
        renderTable(["ID", "NAME", "STATUS", "JOBS", "LABELS", "VERSION", "LAST SEEN"], runners.map(row)),
      );
    });
}

function switchCommand(action: "drain" | "resume"): Command {
  const description =
    action === "drain"
      ? "Let a runner finish what it has and take no more"
      : "Let a drained runner take jobs again";
  return new Command(action)
    .description(description)
    .argument("<runner>", "id or name")
    .action(async (wanted: string, _flags: unknown, command: Command) => {
      const context = await contextOf(command);
      const known = await listRunners(context);
      const id = known.find((r) => r.id === wanted || r.name === wanted)?.id ?? wanted;
      const path = { id };
      const runner =
        action === "drain"
          ? await valueOf(context.api.POST("/runners/{id}/drain", { params: { path } }))
          : await valueOf(context.api.POST("/runners/{id}/resume", { params: { path } }));
      context.print(runner, () => `${runner.name} is ${runner.status}`);
    });
}
