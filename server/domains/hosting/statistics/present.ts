/** Statistics of repositories as the REST interface shows them. */
import type { z } from "zod";
import type { DependencyGraph } from "@forgeline/schemas/statistics/dependencies.ts";
import type {
  CommitStatistics,
  LanguageStatistics,
  StatisticsState,
} from "@forgeline/schemas/statistics/resource.ts";
import { formatOf } from "./manifests/formats.ts";
import type { CommitStatisticsRow, LanguageStatisticsRow, StatisticsHead } from "./read.store.ts";
import type { FoundDependencies } from "./reader.ts";

export function presentCommitStatistics(row: CommitStatisticsRow): CommitStatistics {
  return { ...head(row), total_commits: row.total_commits, weeks: row.weeks };
}

export function presentLanguageStatistics(row: LanguageStatisticsRow): LanguageStatistics {
  const total = row.languages.reduce((sum, { bytes }) => sum + bytes, 0);
  const percent = (bytes: number) => Math.round((bytes / total) * 1000) / 10;
  const languages = row.languages.map((each) => ({ ...each, percent: percent(each.bytes) }));
  return { ...head(row), total_bytes: total, languages };
}

export function presentDependencyGraph({
  row,
  rows,
  total,
}: FoundDependencies): z.input<typeof DependencyGraph> {
  const nodes = rows.map(({ position, requires, ...node }) => {
    const id = (at: number) => `${node.manifest}#${at}`;
    return { ...node, id: id(position), requires: requires.map(id) };
  });
  const manifests = row.manifests.map((one) => ({ ...one, is_lock: formatOf(one.path)?.isLock ?? false }));
  return { ...head(row), manifests, total_nodes: total, nodes };
}

function head(row: StatisticsHead) {
  const { commit, computed_at: at } = row;
  return { state: stateOf(row), commit, computed_at: at?.toISOString() ?? null };
}

function stateOf({ computed_at: at, is_waiting: isWaiting, problem }: StatisticsHead): StatisticsState {
  if (problem !== null) return "failed";
  if (!isWaiting) return "ready";
  return at === null ? "pending" : "updating";
}
