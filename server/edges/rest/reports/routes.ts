/** Binds the operations on what jobs report. */
import { listAnnotations, listCommitAnnotations, listJobReports } from "@forgeline/schemas/reports/routes.ts";
import type { ReportService } from "../../../domains/pipelines/domain.ts";
import type { RouteBinder } from "../route-binder.ts";

export function registerReportRoutes(app: RouteBinder, { reports }: { reports: ReportService }): void {
  app.bindRepository(listJobReports, async ({ repository, params, query }) => {
    const { items, total } = await reports.list(repository, params.id, query);
    return { body: items, total };
  });
  app.bindRepository(listAnnotations, async ({ repository, params, query }) => {
    const { items, total } = await reports.annotations(repository, params.id, query);
    return { body: items, total };
  });
  app.bindRepository(listCommitAnnotations, async ({ repository, query }) => {
    const { items, total } = await reports.annotationsOfCommit(repository, query);
    return { body: items, total };
  });
}
