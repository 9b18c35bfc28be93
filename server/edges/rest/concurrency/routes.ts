/** Binds the operations on concurrency groups. */
import {
  listConcurrencyGroups,
  listOrganizationConcurrencyGroups,
  releaseConcurrencySlot,
  releaseOrganizationConcurrencySlot,
} from "@forgeline/schemas/concurrency/routes.ts";
import type { ConcurrencyService } from "../../../domains/pipelines/domain.ts";
import type { RouteBinder } from "../route-binder.ts";

export function registerConcurrencyRoutes(
  app: RouteBinder,
  { concurrency }: { concurrency: ConcurrencyService },
): void {
  app.bindRepository(listConcurrencyGroups, async ({ repository, query }) => {
    const { items, total } = await concurrency.ofRepository(repository, query);
    return { body: items, total };
  });
  app.bindOrganization(listOrganizationConcurrencyGroups, async ({ organization, query }) => {
    const { items, total } = await concurrency.ofOrganization(organization, query);
    return { body: items, total };
  });
  app.bindOrganization(releaseOrganizationConcurrencySlot, ({ actor, organization, params }) =>
    concurrency.releaseOfOrganization(actor, organization, params.id),
  );
  app.bindRepository(releaseConcurrencySlot, ({ actor, repository, params }) =>
    concurrency.release(actor, repository, params.id),
  );
}
