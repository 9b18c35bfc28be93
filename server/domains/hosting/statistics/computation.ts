/**
 * Brings the statistics of one repository up to its default branch: only new commits if the branch was fast-forwarded,
 * everything again if it was not or if the rules have changed. See `docs/architecture/statistics.md`.
 */
import type { Database } from "../../../platform/db/database.ts";
import type { CatFilePool } from "../../../platform/git/processes/cat-file.ts";
import { isAncestor } from "../../../platform/git/history/is-ancestor.ts";
import { zeroId } from "../../../platform/git/refs/names.ts";
import { readRefs } from "../../../platform/git/refs/refs.ts";
import type { Git } from "../../../platform/git/processes/run-git.ts";
import { readCountedCommits } from "../../../platform/git/history/counted-commits.ts";
import { readFileSteps } from "../../../platform/git/history/tree-changes.ts";
import type { RepositoryStorage } from "../../../platform/git/storage/storage.ts";
import type { Logger } from "../../../platform/logger.ts";
import type { Metrics } from "../../../platform/metrics.ts";
import { createCounter } from "../../../platform/declared-metrics.ts";
import { createActivitySums } from "./activity-sums.ts";
import { sumLanguages } from "./language-sums.ts";
import { collectManifests, isManifest, manifestsOf, type ManifestFile } from "./manifests/collect.ts";
import { readKnown } from "./manifest.store.ts";
import * as marks from "./marks.store.ts";
import { keepComputed, readCursor, touchCursor, type Computed, type Cursor } from "./result.store.ts";
import { statisticsRules } from "./rules.ts";

export interface StatisticsComputation {
  /**
   * Computes what is missing; `again` if more was pushed meanwhile. May run twice, even at the same time: rows and cursor
   * change together. Does nothing for a deleted repository. Throws what Git throws, and the signal's reason.
   */
  compute(repositoryId: string, signal: AbortSignal): Promise<{ again: boolean }>;
  /** Records a failure, so that it is tried again later. */
  giveUp(repositoryId: string, problem: string): Promise<void>;
}

export interface ComputationDeps {
  db: Database;
  storage: RepositoryStorage;
  git: Git;
  objects: CatFilePool;
  logger: Logger;
  registry: Metrics;
}

export function createStatisticsComputation(deps: ComputationDeps): StatisticsComputation {
  const { db, git } = deps;
  const outcomes = createCounter(deps.registry, "forgeline_statistics_computed_total");

  async function headOf(directory: string, branch: string): Promise<string | null> {
    const ref = `refs/heads/${branch}`;
    const oid = (await readRefs(git.run, directory, [ref])).get(ref) ?? zeroId;
    return oid === zeroId ? null : oid;
  }

  /** False when another computation was faster. */
  async function bringForward(repositoryId: string, branch: string, signal: AbortSignal): Promise<boolean> {
    const directory = deps.storage.directory(repositoryId);
    const from = await readCursor(db, repositoryId);
    const to: Cursor = { commit: await headOf(directory, branch), rules: statisticsRules };
    if (from?.commit === to.commit && from.rules === to.rules) {
      outcomes.inc({ outcome: "unchanged" });
      await touchCursor(db, repositoryId);
      return true;
    }
    const base = await baseOf(git, { directory, from, to });
    const computed = await computeBetween(deps, { directory, base, head: to.commit, repositoryId, signal });
    outcomes.inc({ outcome: base === null ? "anew" : "forward" });
    return keepComputed(db, { repositoryId, from, to, ...computed });
  }

  return {
    async compute(repositoryId, signal) {
      const begun = await marks.begin(db, repositoryId);
      if (!begun) {
        await marks.rest(db, repositoryId);
        return { again: false };
      }
      if (!(await bringForward(repositoryId, begun.default_branch, signal))) return { again: true };
      return { again: await marks.end(db, repositoryId, begun.wanted) };
    },
    async giveUp(repositoryId, problem) {
      outcomes.inc({ outcome: "failed" });
      deps.logger.warn({ repository_id: repositoryId, error: problem }, "could not compute statistics");
      await marks.giveUp(db, repositoryId, problem);
    },
  };
}

/** The commit from which what is there can be continued; null where all is to be computed. */
async function baseOf(
  git: Git,
  { directory, from, to }: { directory: string; from: Cursor | undefined; to: Cursor },
): Promise<string | null> {
  if (!from?.commit || to.commit === null || from.rules !== to.rules) return null;
  const step = { directory, quarantine: null, before: from.commit, after: to.commit };
  return (await isAncestor(git.run, step)) ? from.commit : null;
}

interface Work {
  directory: string;
  base: string | null;
  head: string | null;
  repositoryId: string;
  signal: AbortSignal;
}

type Result = Pick<Computed, "activity" | "languages" | "manifests" | "adds">;

async function computeBetween(deps: ComputationDeps, work: Work): Promise<Result> {
  const { directory, base, head, signal } = work;
  const { sums, add } = createActivitySums();
  if (head === null)
    return {
      activity: sums,
      languages: new Map(),
      manifests: { gone: null, read: [] },
      adds: { activity: false, languages: false },
    };
  await readCountedCommits(deps.git.start, { directory, head, without: base, signal }, add);
  const all = { directory, before: null, after: head, signal };
  const changes = await readFileSteps(deps.git.start, { ...all, before: base });
  // The same files may then count differently.
  const isJudgedAnew = base === null || changes.some(({ path }) => /(?:^|\/)\.gitattributes$/.test(path));
  const isListed = base !== null && (isJudgedAnew || changes.some(isManifest));
  const files = isListed ? await readFileSteps(deps.git.start, all) : changes;
  const steps = isJudgedAnew ? files : changes;
  const languages = await sumLanguages(deps, { directory, commit: head, steps, signal });
  const present = base === null || isListed ? manifestsOf(files) : null;
  const manifests = await collect(deps, { ...work, present });
  return {
    activity: sums,
    languages,
    manifests,
    adds: { activity: base !== null, languages: !isJudgedAnew },
  };
}

/** `present` null: no manifest was touched. */
async function collect(
  { db, objects }: ComputationDeps,
  { directory, base, repositoryId, signal, present }: Work & { present: ManifestFile[] | null },
): Promise<Result["manifests"]> {
  if (present === null) return { gone: [], read: [] };
  const known = base === null ? [] : await readKnown(db, repositoryId);
  const { gone, read } = await collectManifests(objects, directory, { present, known, signal });
  return { gone: base === null ? null : gone, read };
}
