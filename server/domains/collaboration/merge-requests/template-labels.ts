/** Labels that a template of merge requests gives to what follows it. */
import { invalidField } from "../../../platform/app-error.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import type { RepositoryRef } from "../../policy/domain.ts";
import type { LabelService } from "../labels/service.ts";
import type { TextTemplateService } from "../text-templates/service.ts";

/** Names of those that exist. */
export type TemplateLabels = (tx: Transaction) => Promise<string[]>;

export interface TemplateLabelsDeps {
  templates: Pick<TextTemplateService, "findForMergeRequest">;
  labels: Pick<LabelService, "knownNames">;
}

/** `path`: undefined where no template is followed. Throws `validation_failed` where there is no such template. */
export async function readTemplateLabels(
  { templates, labels }: TemplateLabelsDeps,
  repository: RepositoryRef,
  path: string | undefined,
): Promise<TemplateLabels> {
  if (path === undefined) return () => Promise.resolve([]);
  const template = await templates.findForMergeRequest(repository, path);
  if (!template)
    throw invalidField("template", "unknown", "There is no such template in the default branch.");
  return (tx) => labels.knownNames(tx, repository.id, template.labels);
}
