/** What jobs of a run report, for people. */
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import type { AnnotationQuery, CommitAnnotationQuery } from "@forgeline/schemas/reports/routes.ts";
import type { z } from "zod";
import { AppError } from "../../../platform/app-error.ts";
import type { Database } from "../../../platform/db/database.ts";
import type { RepositoryFiles } from "../../../platform/git/storage/repository-files.ts";
import type { RepositoryRef } from "../../policy/domain.ts";
import { listCommitAnnotations } from "./commit-annotations.store.ts";
import { presentAnnotation, presentCommitAnnotation, presentReports } from "./present.ts";
import * as store from "./reports.store.ts";

export type ReportService = ReturnType<typeof createReportService>;

export interface ReportServiceDeps {
  db: Database;
  files: Pick<RepositoryFiles, "resolveRef">;
}

/** A run is named by id or number. Everything throws `not_found`. */
export function createReportService({ db, files }: ReportServiceDeps) {
  async function runOf(repository: RepositoryRef, pipeline: string): Promise<string> {
    const id = await store.findRun(db, repository.id, pipeline);
    if (id === undefined) throw new AppError("not_found");
    return id;
  }

  return {
    async list(repository: RepositoryRef, pipeline: string, page: z.infer<typeof PageQuery>) {
      const { rows, total } = await store.listOfRun(db, await runOf(repository, pipeline), page);
      return { items: rows.map(presentReports), total };
    },
    async annotations(repository: RepositoryRef, pipeline: string, query: z.infer<typeof AnnotationQuery>) {
      const { rows, total } = await store.listAnnotations(db, await runOf(repository, pipeline), query);
      return { items: rows.map(presentAnnotation), total };
    },
    /** A repository without commits has none. */
    async annotationsOfCommit(
      repository: RepositoryRef,
      { ref, level, path, ...page }: z.infer<typeof CommitAnnotationQuery>,
    ) {
      const found = await files.resolveRef(repository.id, ref ?? `refs/heads/${repository.defaultBranch}`);
      if (!found && ref !== undefined) throw new AppError("not_found");
      if (!found) return { items: [], total: 0 };
      const of = { repositoryId: repository.id, sha: found.sha, level, path };
      const { rows, total } = await listCommitAnnotations(db, of, page);
      return { items: rows.map(presentCommitAnnotation), total };
    },
  };
}
