/** Waits for what the product does between jobs, so that each measurement begins at rest. */
import type { Bench } from "./scenario.ts";
import { eventually } from "../test/support/eventually.ts";

/** `waiting` containers are there and nothing else of any runner is. */
export async function untilAtRest({ docker }: Bench, waiting: number): Promise<void> {
  await eventually(
    async () => {
      const found = await docker.listContainers({ all: true, filters: { label: ["forgeline.runner"] } });
      const warm = found.filter(({ Names }) => Names.some((name) => name.startsWith("/forgeline-warm-")));
      return (
        found.length === waiting && warm.every(({ State }) => State === "running") && warm.length === waiting
      );
    },
    { timeoutMs: 30_000, intervalMs: 50 },
  );
}
