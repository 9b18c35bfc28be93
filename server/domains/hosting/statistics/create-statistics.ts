/** Wires the statistics of repositories for the container. */
import type { Config } from "../../../config/config.ts";
import type { CatFilePool } from "../../../platform/git/processes/cat-file.ts";
import type { PushFollower } from "../pushes/push.ts";
import { createStatisticsComputation, type ComputationDeps } from "./computation.ts";
import { mark } from "./marks.store.ts";
import { createStatisticsStarter, type StarterDeps } from "./starter.ts";

type Deps = Omit<ComputationDeps & StarterDeps, "objects" | "taskQueue"> & {
  config: Config;
  catFiles: CatFilePool;
};

export function createStatistics({ config, catFiles, ...deps }: Deps) {
  return {
    statistics: createStatisticsComputation({ ...deps, objects: catFiles }),
    statisticsStarter: createStatisticsStarter({ ...deps, taskQueue: config.temporal.taskQueue }),
  };
}

/** Requests statistics, in the transaction of anything that may have changed a default branch. */
export const statisticsMarks = {
  mark,
  pushFollower: (): PushFollower => ({
    prepare: ({ repositoryId, updates }) =>
      Promise.resolve(async (tx) => {
        if (updates.some(({ ref }) => ref.startsWith("refs/heads/"))) await mark(tx, repositoryId);
        return [];
      }),
  }),
};
