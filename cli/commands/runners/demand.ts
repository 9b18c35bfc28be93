/** `forgeline runner demand`: what waits for runners, by the labels that it asks for. */
import { Command } from "commander";
import { valueOf } from "../../connection/api.ts";
import { contextOf } from "../../context.ts";
import { renderTable } from "../../output/table.ts";
import type { OrgOption } from "./find.ts";
import { groupId } from "./runner-groups.ts";

export function demandCommand(): Command {
  return new Command("demand")
    .description("Show what waits for runners, by the labels that jobs ask for")
    .option("--org <organization>", "in this organization instead of the whole instance")
    .option("--group <name>", "only what may use this group, and the idle slots of its runners")
    .action(async ({ group, ...of }: OrgOption & { group?: string }, command: Command) => {
      const context = await contextOf(command);
      const { api, print } = context;
      const { org } = of;
      const query = group === undefined ? {} : { group: await groupId(context, group, of) };
      const demand = await valueOf(
        org === undefined
          ? api.GET("/runners/demand", { params: { query } })
          : api.GET("/orgs/{org}/runners/demand", { params: { path: { org }, query } }),
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
