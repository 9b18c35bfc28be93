/** Binds the operations on templates of texts. */
import { listIssueTemplates, listMergeRequestTemplates } from "@forgeline/schemas/text-templates/routes.ts";
import type { TextTemplateService } from "../../../domains/collaboration/domain.ts";
import type { RouteBinder } from "../route-binder.ts";

export function registerTextTemplateRoutes(
  app: RouteBinder,
  { textTemplates }: { textTemplates: TextTemplateService },
): void {
  app.bindRepository(listIssueTemplates, async ({ repository }) => ({
    body: await textTemplates.ofIssues(repository),
  }));
  app.bindRepository(listMergeRequestTemplates, async ({ repository }) => ({
    body: await textTemplates.ofMergeRequests(repository),
  }));
}
