/** Coverage that jobs report, for people: of a run by file, and of a branch by run. */
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import type { CoverageQuery } from "@forgeline/schemas/coverage/routes.ts";
import type { z } from "zod";
import { AppError } from "../../../platform/app-error.ts";
import type { Database } from "../../../platform/db/database.ts";
import type { RepositoryRef } from "../../policy/domain.ts";
import * as store from "./coverage.store.ts";
import { presentFileCoverage, presentRunCoverage } from "./present.ts";
import { findRun } from "./reports.store.ts";

export type CoverageService = ReturnType<typeof createCoverageService>;

export function createCoverageService({ db }: { db: Database }) {
  return {
    /** By id or number. Throws `not_found`. */
    async ofRun(repository: RepositoryRef, pipeline: string, page: z.infer<typeof PageQuery>) {
      const run = await findRun(db, repository.id, pipeline);
      if (run === undefined) throw new AppError("not_found");
      const { rows, total } = await store.listFiles(db, run, page);
      return { items: rows.map(presentFileCoverage), total };
    },
    async list(
      repository: RepositoryRef,
      { branch = repository.defaultBranch, ...page }: z.infer<typeof CoverageQuery>,
    ) {
      const of = { repositoryId: repository.id, ref: `refs/heads/${branch}` };
      const { rows, total } = await store.listRuns(db, of, page);
      return { items: rows.map(presentRunCoverage), total };
    },
  };
}
