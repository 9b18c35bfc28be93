/** What has been computed of a repository, as it is read. Each question is one statement, or two where a page is counted. */
import type {
  ContributorQuery,
  DependencyGraphQuery,
  WindowQuery,
} from "@forgeline/schemas/statistics/routes.ts";
import type { Clock } from "../../../platform/clock.ts";
import type { Database } from "../../../platform/db/database.ts";
import { weekOf } from "./activity-sums.ts";
import { readManifests, readNodes } from "./manifest.store.ts";
import { listContributors, readCommits, readLanguages, type WeekWindow } from "./read.store.ts";

const daySeconds = 86_400;

export type StatisticsReader = ReturnType<typeof createStatisticsReader>;

/** What reads one thing gives undefined for a repository that is gone. */
export function createStatisticsReader({ db, clock }: { db: Database; clock: Clock }) {
  function windowOf({ weeks, until }: WindowQuery): WeekWindow {
    const end = (until === undefined ? clock.now().getTime() : Date.parse(until)) / 1000;
    return { first: weekOf(end - (weeks - 1) * 7 * daySeconds), last: weekOf(end) };
  }

  return {
    commits: (repositoryId: string, query: WindowQuery) => readCommits(db, repositoryId, windowOf(query)),
    contributors: (repositoryId: string, query: ContributorQuery) =>
      listContributors(db, repositoryId, { page: query, window: windowOf(query) }),
    languages: (repositoryId: string) => readLanguages(db, repositoryId),
    manifests: (repositoryId: string) => readManifests(db, repositoryId),
    dependencies: (repositoryId: string, query: DependencyGraphQuery) => readNodes(db, repositoryId, query),
  };
}
