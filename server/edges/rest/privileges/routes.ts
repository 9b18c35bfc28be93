/** Binds the operations on repositories with privileged jobs. */
import {
  allowPrivilegedJobs,
  listPrivilegedRepositories,
  refusePrivilegedJobs,
} from "@forgeline/schemas/privileges/routes.ts";
import type { PrivilegeService } from "../../../domains/pipelines/domain.ts";
import type { RouteBinder } from "../route-binder.ts";

export function registerPrivilegeRoutes(
  app: RouteBinder,
  { privileges }: { privileges: PrivilegeService },
): void {
  app.bind(listPrivilegedRepositories, async ({ query }) => {
    const { items, total } = await privileges.list(query);
    return { body: items, total };
  });
  app.bind(allowPrivilegedJobs, async ({ actor, params }) => ({
    body: await privileges.allow(actor, params),
  }));
  app.bind(refusePrivilegedJobs, ({ actor, params }) => privileges.refuse(actor, params));
}
