/** Reads the computed statistics of a repository. Each method takes one statement, or two if a page is counted. */
import type {
  ContributorQuery,
  DependencyGraphQuery,
  WindowQuery,
} from "@forgeline/schemas/statistics/routes.ts";
import type { Clock } from "../../../platform/clock.ts";
import type { Database } from "../../../platform/db/database.ts";
import { AppError } from "../../../platform/app-error.ts";
import { weekOf } from "./activity-sums.ts";
import { readManifests, readNodes, type ManifestsRow, type NodeRow } from "./manifest.store.ts";
import { listContributors, readCommits, readLanguages, type WeekWindow } from "./read.store.ts";

const daySeconds = 86_400;

export type StatisticsReader = ReturnType<typeof createStatisticsReader>;

export interface FoundDependencies {
  row: ManifestsRow;
  /** Of the page. */
  rows: NodeRow[];
  total: number;
}

/** Methods about one repository throw `not_found` if it is gone. */
export function createStatisticsReader({ db, clock }: { db: Database; clock: Clock }) {
  function windowOf({ weeks, until }: WindowQuery): WeekWindow {
    const end = (until === undefined ? clock.now().getTime() : Date.parse(until)) / 1000;
    return { first: weekOf(end - (weeks - 1) * 7 * daySeconds), last: weekOf(end) };
  }

  return {
    commits: async (repositoryId: string, query: WindowQuery) =>
      found(await readCommits(db, repositoryId, windowOf(query))),
    contributors: (repositoryId: string, query: ContributorQuery) =>
      listContributors(db, repositoryId, { page: query, window: windowOf(query) }),
    languages: async (repositoryId: string) => found(await readLanguages(db, repositoryId)),
    async dependencies(repositoryId: string, query: DependencyGraphQuery): Promise<FoundDependencies> {
      const row = found(await readManifests(db, repositoryId));
      return { row, ...(await readNodes(db, repositoryId, query)) };
    },
  };
}

function found<T>(row: T | undefined): T {
  if (row === undefined) throw new AppError("not_found");
  return row;
}
