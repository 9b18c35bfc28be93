/** Binds what is read of the statistics of repositories. */
import type { StatisticsState } from "@forgeline/schemas/statistics/resource.ts";
import {
  getCommitStatistics,
  getDependencyGraph,
  getLanguageStatistics,
  listContributors,
} from "@forgeline/schemas/statistics/routes.ts";
import type { RouteBinder } from "../route-binder.ts";
import { AppError } from "../../../platform/app-error.ts";
import { formatOf, type StatisticsHead, type StatisticsReader } from "../../../domains/hosting/domain.ts";

export function registerStatisticsRoutes(
  app: RouteBinder,
  { statisticsReader: statistics }: { statisticsReader: StatisticsReader },
): void {
  app.bindRepository(getCommitStatistics, async ({ repository, query }) => {
    const row = await statistics.commits(repository.id, query);
    if (!row) throw new AppError("not_found");
    return { body: { ...presentHead(row), total_commits: row.total_commits, weeks: row.weeks } };
  });
  app.bindRepository(listContributors, async ({ repository, query }) => {
    const { rows, total } = await statistics.contributors(repository.id, query);
    return { body: rows, total };
  });
  app.bindRepository(getLanguageStatistics, async ({ repository }) => {
    const row = await statistics.languages(repository.id);
    if (!row) throw new AppError("not_found");
    const total = row.languages.reduce((sum, { bytes }) => sum + bytes, 0);
    const percent = (bytes: number) => Math.round((bytes / total) * 1000) / 10;
    const languages = row.languages.map((each) => ({ ...each, percent: percent(each.bytes) }));
    return { body: { ...presentHead(row), total_bytes: total, languages } };
  });
  app.bindRepository(getDependencyGraph, async ({ repository, query }) => {
    const row = await statistics.manifests(repository.id);
    if (!row) throw new AppError("not_found");
    const { rows, total } = await statistics.dependencies(repository.id, query);
    const nodes = rows.map(({ position, requires, ...node }) => {
      const id = (at: number) => `${node.manifest}#${at}`;
      return { ...node, id: id(position), requires: requires.map(id) };
    });
    const manifests = row.manifests.map((one) => ({ ...one, is_lock: formatOf(one.path)?.isLock ?? false }));
    return { body: { ...presentHead(row), manifests, total_nodes: total, nodes } };
  });
}

export function presentHead(row: StatisticsHead) {
  const { commit, computed_at: at } = row;
  return { state: stateOf(row), commit, computed_at: at?.toISOString() ?? null };
}

function stateOf({ computed_at: at, is_waiting: isWaiting, problem }: StatisticsHead): StatisticsState {
  if (problem !== null) return "failed";
  if (!isWaiting) return "ready";
  return at === null ? "pending" : "updating";
}
