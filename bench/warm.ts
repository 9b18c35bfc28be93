/** Waits for what the product does between jobs, so that each measurement begins at rest. */
import type { Bench } from "./scenario.ts";
import { eventually } from "../test/support/eventually.ts";
import { runnerId } from "../test/support/instance-run.ts";

/** Of the runner that keeps some: as many as are kept by default. */
export const waitingContainers = 3;

/** `waiting` containers of our runners are there and nothing else of them is. */
export async function untilAtRest({ docker, instance }: Bench, waiting: number): Promise<void> {
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
