/** Binds the operations on how long repositories and organizations keep runs and what belongs to them. */
import {
  getOrganizationRetention,
  getRetention,
  setOrganizationRetention,
  setRetention,
} from "@forgeline/schemas/retention/routes.ts";
import type { RetentionService } from "../../../domains/pipelines/domain.ts";
import type { RouteBinder } from "../route-binder.ts";

export function registerRetentionRoutes(
  app: RouteBinder,
  { retention }: { retention: RetentionService },
): void {
  app.bindRepository(getRetention, async ({ repository }) => ({ body: await retention.get({ repository }) }));
  app.bindRepository(setRetention, async ({ actor, repository, body }) => ({
    body: await retention.set(actor, { repository }, body),
  }));
  app.bindOrganization(getOrganizationRetention, async ({ organization }) => ({
    body: await retention.get({ organization }),
  }));
  app.bindOrganization(setOrganizationRetention, async ({ actor, organization, body }) => ({
    body: await retention.set(actor, { organization }, body),
  }));
}
