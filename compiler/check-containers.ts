/** Keys of images and resources that mean something for services only, or for jobs only. */
import { objectKind } from "./path-kinds.ts";
import type { Path } from "./path.ts";
import type { Report } from "./report.ts";
import type { MapNode } from "./tree.ts";

export function checkContainers(node: MapNode, path: Path, { report }: { report: Report }): void {
  const isOfService = path.at(-3) === "services";
  const kind = objectKind(path);
  const entrypoint = kind === "image" && !isOfService ? node.entries.get("entrypoint") : undefined;
  if (entrypoint)
    report.add("P101", entrypoint.keySpan, {
      message: 'only images of services have an "entrypoint"',
      hint: "Forgeline itself starts the steps, in their shell; call the program in `run`",
    });
  const disk = kind === "resources" && isOfService ? node.entries.get("disk") : undefined;
  if (disk)
    report.add("P101", disk.keySpan, {
      message: 'only jobs have "disk"',
      hint: "what a service writes counts towards its job; put `disk` into `resources` of the job",
    });
}
