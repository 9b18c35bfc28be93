/** Binds the operations on the labels of a repository. */
import {
  createLabel,
  deleteLabel,
  getLabel,
  listLabels,
  updateLabel,
} from "@forgeline/schemas/labels/routes.ts";
import type { LabelService } from "../../../domains/collaboration/domain.ts";
import type { RouteBinder } from "../route-binder.ts";

export function registerLabelRoutes(app: RouteBinder, { labels }: { labels: LabelService }): void {
  app.bindRepository(listLabels, async ({ repository, query }) => {
    const { items, total } = await labels.list(repository, query);
    return { body: items, total };
  });
  app.bindRepository(getLabel, async ({ repository, params }) => ({
    body: await labels.get(repository, params.id),
  }));
  app.bindRepository(createLabel, async ({ repository, body }) => {
    const created = await labels.create(repository, body);
    return { body: created, location: created.url };
  });
  app.bindRepository(updateLabel, async ({ repository, params, body }) => ({
    body: await labels.update(repository, { id: params.id, wanted: body }),
  }));
  app.bindRepository(deleteLabel, ({ actor, repository, params }) =>
    labels.remove(actor, repository, params.id),
  );
}
