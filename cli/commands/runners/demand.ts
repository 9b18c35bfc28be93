/** `forgeline runner demand`: what waits for runners, by the labels that it asks for. */
import { Command } from "commander";
import { valueOf } from "../../connection/api.ts";
import { contextOf } from "../../context.ts";
import { renderTable } from "../../output/table.ts";
import type { OrgOption } from "./find.ts";

export function demandCommand(): Command {
  return new Command("demand")
    .description("Show what waits for runners, by the labels that jobs ask for")
    .option("--org <organization>", "in this organization instead of the whole instance")
    .action(async ({ org }: OrgOption, command: Command) => {
      const { api, print } = await contextOf(command);
      const demand = await valueOf(
        org === undefined
          ? api.GET("/runners/demand")
          : api.GET("/orgs/{org}/runners/demand", { params: { path: { org } } }),
      );
      print(demand, () =>
        renderTable(
          ["LABELS", "QUEUED", "OLDEST WAITS", "RUNNING", "IDLE SLOTS"],
          demand.label_sets.map((set) => [
            set.labels.join(",") || "(none)",
            String(set.queued),
            set.oldest_wait_seconds === null ? "" : `${Math.round(set.oldest_wait_seconds)} s`,
            String(set.running),
            String(set.idle),
          ]),
        ),
      );
    });
}
