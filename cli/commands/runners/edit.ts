/** `forgeline runner edit`: what a runner is called, and what the server counts instead of what it says of itself. */
import { Command, Option } from "commander";
import { valueOf } from "../../connection/api.ts";
import { UsageError } from "../../connection/settings.ts";
import { contextOf } from "../../context.ts";
import { parseCount } from "../../options/count.ts";
import { listed } from "../../options/listed.ts";
import { omitUndefined } from "../../options/omit-undefined.ts";
import { runnerId, withPlace, type PlaceOption } from "./find.ts";

interface EditOptions extends PlaceOption {
  name?: string;
  labels?: string[];
  ownLabels?: true;
  capacity?: number;
  ownCapacity?: true;
}

export function editCommand(): Command {
  return withPlace(new Command("edit"))
    .description("Change the name, the labels or the capacity of a runner; jobs that it has go on")
    .argument("<runner>", "id or name")
    .option("--name <name>", "a new name")
    .addOption(
      new Option("--labels <labels>", "labels that count instead of the runner's own, separated by commas")
        .argParser(listed)
        .conflicts("ownLabels"),
    )
    .option("--own-labels", "the labels that the runner says itself count again, from when it connects next")
    .addOption(
      new Option("--capacity <jobs>", "jobs at once, at most what the runner offers")
        .argParser(parseCount)
        .conflicts("ownCapacity"),
    )
    .option("--own-capacity", "the capacity that the runner offers counts again, from when it connects next")
    .action(async (wanted: string, flags: EditOptions, command: Command) => {
      const body = changesOf(flags);
      const context = await contextOf(command);
      const path = { id: await runnerId(context, wanted, flags) };
      const runner = await valueOf(context.api.PATCH("/runners/{id}", { params: { path }, body }));
      const labels = runner.labels.join(",") || "no labels";
      context.print(
        runner,
        () =>
          `${runner.name} takes ${runner.capacity} ${runner.capacity === 1 ? "job" : "jobs"} at once, with ${labels}`,
      );
    });
}

function changesOf({ name, labels, ownLabels, capacity, ownCapacity }: EditOptions) {
  const body = omitUndefined({
    name,
    labels: ownLabels ? null : labels,
    capacity: ownCapacity ? null : capacity,
  });
  if (Object.keys(body).length === 0)
    throw new UsageError("name what to change: --name, --labels, --own-labels, --capacity or --own-capacity");
  return body;
}
