/** Binds the operations on Git LFS quotas. */
import { getLfsQuota, setLfsQuota } from "@forgeline/schemas/lfs/routes.ts";
import type { RouteBinder } from "../route-binder.ts";
import type { Lfs } from "../../../domains/hosting/domain.ts";

export function registerLfsRoutes(app: RouteBinder, { lfs }: { lfs: Lfs }): void {
  const { ownerQuotas } = lfs;
  app.bind(getLfsQuota, async ({ params }) => ({ body: await ownerQuotas.get(params.owner) }));
  app.bind(setLfsQuota, async ({ actor, params, body }) => ({
    body: await ownerQuotas.set(actor, params.owner, body.limit_bytes),
  }));
}
