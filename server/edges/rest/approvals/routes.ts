/** Binds the operations at the gates of runs. */
import { decideApproval, listAwaitedApprovals } from "@forgeline/schemas/approvals/routes.ts";
import type { RouteBinder } from "../route-binder.ts";
import type { PipelineService } from "../../../domains/pipelines/domain.ts";

export function registerApprovalRoutes(
  app: RouteBinder,
  { pipelines }: { pipelines: PipelineService },
): void {
  app.bind(listAwaitedApprovals, async ({ actor, query }) => {
    const { items, total } = await pipelines.awaitedApprovals(actor, query);
    return { body: items, total };
  });
  app.bindRepository(decideApproval, async ({ actor, repository, params, body }) => ({
    body: await pipelines.decide(actor, repository, { id: params.id, decision: body }),
  }));
}
