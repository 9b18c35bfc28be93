/** `forgeline runner`: register, start and look after runners. */
import { Command } from "commander";
import { valueOf } from "../../connection/api.ts";
import { contextOf, type CliContext } from "../../context.ts";
import { parseCount } from "../../options/count.ts";
import { omitUndefined } from "../../options/omit-undefined.ts";
import { renderList } from "../../output/table.ts";
import { addCommand } from "./add.ts";
import { demandCommand } from "./demand.ts";
import { editCommand } from "./edit.ts";
import { listRunners, repositoryOf, runnerId, withOrg, withPlace, type PlaceOption } from "./find.ts";
import { runnersFor } from "./for-repository.ts";
import { registerCommand, startCommand } from "./program.ts";
import { signingKeyCommand } from "./signing-keys.ts";
import { groupCommand } from "./runner-groups.ts";
import { viewCommand } from "./view.ts";

export function runnerCommand(): Command {
  const runner = new Command("runner").description("Runners: the agents that execute jobs");
  for (const make of [
    addCommand,
    registerCommand,
    startCommand,
    listCommand,
    viewCommand,
    editCommand,
    drainCommand,
    pauseCommand,
    resumeCommand,
    removeCommand,
    demandCommand,
    groupCommand,
    signingKeyCommand,
  ])
    runner.addCommand(make());
  return runner;
}

function listCommand(): Command {
  return withOrg(new Command("list"))
    .description("List runners with their state and load")
    .option(
      "--for-repo <repository>",
      "all that may take jobs of OWNER/NAME, as far as you may see them; as with -R",
    )
    .action(async (flags: PlaceOption, command: Command) => {
      const context = await contextOf(command);
      const runners = await chosenRunners(context, flags);
      const row = (r: (typeof runners)[number]) => [
        r.id,
        r.name,
        r.status,
        `${r.running}/${r.capacity}`,
        r.labels.join(","),
        r.group?.name ?? "",
        r.outdated ? `${r.version} (old)` : r.version,
        r.last_seen_at ?? "never",
        r.egress.state,
      ];
      context.print(runners, () =>
        renderList(
          "runners",
          ["ID", "NAME", "STATUS", "JOBS", "LABELS", "GROUP", "VERSION", "LAST SEEN", "NETWORK"],
          runners.map(row),
        ),
      );
    });
}

async function chosenRunners(context: CliContext, flags: PlaceOption) {
  const repository = repositoryOf(context, flags);
  if (repository === undefined) return listRunners(context, flags);
  const { runners, unseen } = await runnersFor(context, repository);
  if (unseen.length > 0)
    process.stderr.write(`not shown, because you may not see them: ${unseen.join(", ")}\n`);
  return runners;
}

function drainCommand(): Command {
  return withPlace(new Command("drain"))
    .description("Let a runner finish its jobs and take no new ones")
    .argument("<runner>", "id or name")
    .option(
      "--within <minutes>",
      "stop what it still runs after this time; it runs again elsewhere",
      parseCount,
    )
    .action(async (wanted: string, flags: PlaceOption & { within?: number }, command: Command) => {
      const context = await contextOf(command);
      const path = { id: await runnerId(context, wanted, flags) };
      const body = omitUndefined({ within_minutes: flags.within });
      const runner = await valueOf(context.api.POST("/runners/{id}/drain", { params: { path }, body }));
      const until =
        runner.drain_deadline === null ? "" : `; what it still runs is stopped at ${runner.drain_deadline}`;
      context.print(runner, () => `${runner.name} is ${runner.status}${until}`);
    });
}

function pauseCommand(): Command {
  return withPlace(new Command("pause"))
    .description("Keep new jobs from a runner for a while; what it has goes on")
    .argument("<runner>", "id or name")
    .action(async (wanted: string, flags: PlaceOption, command: Command) => {
      const context = await contextOf(command);
      const path = { id: await runnerId(context, wanted, flags) };
      const answer = context.api.PATCH("/runners/{id}", { params: { path }, body: { paused: true } });
      const runner = await valueOf(answer);
      context.print(
        runner,
        () => `${runner.name} is paused; forgeline runner resume lets it take jobs again`,
      );
    });
}

function resumeCommand(): Command {
  return withPlace(new Command("resume"))
    .description("Let a drained or paused runner take jobs again")
    .argument("<runner>", "id or name")
    .action(async (wanted: string, flags: PlaceOption, command: Command) => {
      const context = await contextOf(command);
      const path = { id: await runnerId(context, wanted, flags) };
      const runner = await valueOf(context.api.POST("/runners/{id}/resume", { params: { path } }));
      context.print(runner, () => `${runner.name} is ${runner.status}`);
    });
}

function removeCommand(): Command {
  return withPlace(new Command("remove"))
    .description("Remove a runner for good, closing its connection and revoking its credential")
    .argument("<runner>", "id or name")
    .action(async (wanted: string, flags: PlaceOption, command: Command) => {
      const context = await contextOf(command);
      const id = await runnerId(context, wanted, flags);
      const answer = context.api.DELETE("/runners/{id}", { params: { path: { id } } });
      await valueOf(answer, `there is no runner ${id}, or you may not remove it`);
      context.print({ id, removed: true }, () => `removed ${wanted}`);
    });
}
