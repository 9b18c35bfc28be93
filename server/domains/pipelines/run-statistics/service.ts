/** Statistics of runs: recorded when one has ended, and added up when somebody asks. */
import type {
  JobStatistics,
  PipelineStatistics,
  RepositoryRuns,
} from "@forgeline/schemas/run-statistics/resource.ts";
import type { RepositoriesQuery, RunStatisticsQuery } from "@forgeline/schemas/run-statistics/routes.ts";
import type { Database, Transaction } from "../../../platform/db/database.ts";
import type { RepositoryRef } from "../../policy/domain.ts";
import * as jobTimes from "./job-times.store.ts";
import { lastDays } from "./period.ts";
import {
  presentJobTimes,
  presentPeriod,
  presentRepository,
  presentStatistics,
  presentStepTimes,
} from "./present.ts";
import * as store from "./run-figures.store.ts";

export interface RunStatistics {
  /** Counts runs that have ended, in the transaction of who follows them. Safe to call twice. */
  record(tx: Transaction, runs: readonly store.EndedRun[]): Promise<void>;
  ofRepository(repository: RepositoryRef, query: RunStatisticsQuery): Promise<PipelineStatistics>;
  /** The slowest ones of the last runs. */
  jobs(repository: RepositoryRef, query: RunStatisticsQuery): Promise<JobStatistics>;
  ofOrganization(organization: { id: string }, days: number): Promise<PipelineStatistics>;
  listOfOrganization(organization: { id: string }, query: RepositoriesQuery): Promise<RepositoryList>;
  ofInstance(days: number): Promise<PipelineStatistics>;
  listOfInstance(query: RepositoriesQuery): Promise<RepositoryList>;
}

interface RepositoryList {
  items: RepositoryRuns[];
  total: number;
}

export function createRunStatistics({ db }: { db: Database }): RunStatistics {
  const period = (days: number) => lastDays(days, Date.now());
  const listed = ({ rows, total }: { rows: store.RepositoryRow[]; total: number }) => ({
    items: rows.map(presentRepository),
    total,
  });
  return {
    record: (tx, runs) => store.record(tx, runs),
    async ofRepository(repository, query) {
      const of = period(query.days);
      return presentStatistics(await store.sumRepository(db, of.since, filterOf(repository, query)), of);
    },
    async jobs(repository, query) {
      const of = period(query.days);
      const runs = await jobTimes.sample(db, of.since, filterOf(repository, query));
      const [jobs, steps] = await Promise.all([jobTimes.jobTimes(db, runs), jobTimes.stepTimes(db, runs)]);
      return {
        ...presentPeriod(of),
        sampled_runs: runs.length,
        jobs: jobs.map(presentJobTimes),
        steps: steps.map(presentStepTimes),
      };
    },
    async ofOrganization({ id }, days) {
      const of = period(days);
      return presentStatistics(await store.sumOrganization(db, of.since, id), of);
    },
    async listOfOrganization({ id }, { days, ...page }) {
      const { since } = period(days);
      return listed(await store.listOfOrganization(db, { since, organizationId: id }, page));
    },
    async ofInstance(days) {
      const of = period(days);
      return presentStatistics(await store.sumInstance(db, of.since), of);
    },
    async listOfInstance({ days, ...page }) {
      return listed(await store.listOfInstance(db, period(days).since, page));
    },
  };
}

function filterOf({ id }: RepositoryRef, { pipeline, branch }: RunStatisticsQuery): store.RunFilter {
  const ref = branch === undefined ? null : `refs/heads/${branch}`;
  return { repositoryId: id, file: pipeline ?? null, ref };
}
