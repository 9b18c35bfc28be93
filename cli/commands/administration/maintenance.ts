/** `forgeline admin maintenance`: the state of all repositories' storage. */
import { Command, Option } from "commander";
import { maintenanceStates } from "@forgeline/client/generated/choices.ts";
import { everyPage } from "../../connection/pages.ts";
import { contextOf } from "../../context.ts";
import { renderList } from "../../output/table.ts";

export function adminMaintenanceCommand(): Command {
  return new Command("maintenance")
    .description("Show the maintenance state of repositories, least recently maintained first")
    .addOption(new Option("--state <state>", "only repositories in this state").choices(maintenanceStates))
    .action(async ({ state }: { state?: (typeof maintenanceStates)[number] }, command: Command) => {
      const { api, print } = await contextOf(command);
      const listed = await everyPage((page) =>
        api.GET("/admin/maintenance", { params: { query: { ...page, ...(state ? { state } : {}) } } }),
      );
      print(listed, () =>
        renderList(
          "repositories",
          ["REPOSITORY", "STATE", "LOOKED AFTER", "CHECKED", "PACKS", "LOOSE"],
          listed.map((one) => [
            one.repository,
            one.state,
            one.maintained_at ?? "never",
            one.checked_at ?? "never",
            String(one.packs),
            String(one.loose_objects),
          ]),
        ),
      );
    });
}
