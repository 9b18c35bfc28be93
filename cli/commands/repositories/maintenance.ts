/** `forgeline repo maintenance`: the state of a repository's storage, and asking for maintenance now. */
import { Command } from "commander";
import { valueOf } from "../../connection/api.ts";
import { parseRepository } from "../../connection/repository.ts";
import { contextOf } from "../../context.ts";

interface MaintenanceOptions {
  now?: boolean;
  prune?: boolean;
}

export function maintenanceCommand(): Command {
  return new Command("maintenance")
    .argument("<owner/name>")
    .description("Show the state of a repository's storage; with --now or --prune, repack and check it")
    .option("--now", "start now instead of when it is due")
    .option("--prune", "also delete everything no branch or tag reaches, such as a leaked secret")
    .action(async (name: string, options: MaintenanceOptions, command: Command) => {
      const { api, print } = await contextOf(command);
      const path = "/repos/{owner}/{repo}/maintenance" as const;
      const params = { path: parseRepository(name) };
      const asks = (options.now ?? false) || (options.prune ?? false);
      const state = await valueOf(
        asks
          ? api.POST(path, { params, body: { prune: options.prune ?? false } })
          : api.GET(path, { params }),
      );
      print(state, () => [`${state.repository} is ${state.state}`, ...details(state)].join("\n"));
    });
}

function details(state: {
  maintained_at: string | null;
  checked_at: string | null;
  loose_objects: number;
  packs: number;
  problem: string | null;
  damage: string[];
}): string[] {
  return [
    `maintained    ${state.maintained_at ?? "never"}`,
    `checked       ${state.checked_at ?? "never"}`,
    `objects       ${state.packs} packs, ${state.loose_objects} loose`,
    ...(state.problem === null ? [] : [`problem       ${state.problem}`]),
    ...state.damage.map((line) => `damage        ${line}`),
  ];
}
