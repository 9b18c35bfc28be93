/** Binds the operations on the milestones of a repository. */
import {
  createMilestone,
  deleteMilestone,
  getMilestone,
  listMilestones,
  updateMilestone,
} from "@forgeline/schemas/milestones/routes.ts";
import type { MilestoneService } from "../../../domains/collaboration/domain.ts";
import type { RouteBinder } from "../route-binder.ts";

export function registerMilestoneRoutes(
  app: RouteBinder,
  { milestones }: { milestones: MilestoneService },
): void {
  app.bindRepository(listMilestones, async ({ repository, query }) => {
    const { items, total } = await milestones.list(repository, query);
    return { body: items, total };
  });
  app.bindRepository(getMilestone, async ({ repository, params }) => ({
    body: await milestones.get(repository, params.id),
  }));
  app.bindRepository(createMilestone, async ({ repository, body }) => {
    const created = await milestones.create(repository, body);
    return { body: created, location: created.url };
  });
  app.bindRepository(updateMilestone, async ({ repository, params, body }) => ({
    body: await milestones.update(repository, { id: params.id, wanted: body }),
  }));
  app.bindRepository(deleteMilestone, ({ actor, repository, params }) =>
    milestones.remove(actor, repository, params.id),
  );
}
