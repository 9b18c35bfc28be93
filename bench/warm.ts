/** Waits for what the product does between jobs, so that each measurement begins at rest. */
import type { Bench } from "./scenario.ts";
import { tinySize } from "./size.ts";
import { eventually } from "../test/support/eventually.ts";
import { runnerId } from "../test/support/instance-run.ts";

/** As many containers of our runners wait as are to wait, and nothing else of them is there. Nobody waits where no figure is kept. */
export async function untilAtRest({ docker, instance, size }: Bench): Promise<void> {
  if (size === tinySize) return;
  const waiting = size.waitingContainers;
  const ours = new Set(await Promise.all(instance.runners.map(runnerId)));
  await eventually(
    async () => {
      const all = await docker.listContainers({ all: true, filters: { label: ["forgeline.runner"] } });
      const found = all.filter(({ Labels }) => ours.has(Labels["forgeline.runner"] ?? ""));
      const warm = found.filter(({ Names }) => Names.some((name) => name.startsWith("/forgeline-warm-")));
      return (
        found.length === waiting && warm.every(({ State }) => State === "running") && warm.length === waiting
      );
    },
    { timeoutMs: 30_000, intervalMs: 50 },
  );
}
