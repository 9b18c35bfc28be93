/** Binds the operations on keys that sign identity tokens. */
import { getIdTokenKeys, rotateIdTokenKeys } from "@forgeline/schemas/id-tokens/routes.ts";
import type { IdTokenKeyService } from "../../../domains/pipelines/domain.ts";
import type { RouteBinder } from "../route-binder.ts";

export function registerIdTokenRoutes(
  app: RouteBinder,
  { idTokenKeyService: keys }: { idTokenKeyService: IdTokenKeyService },
): void {
  app.bind(getIdTokenKeys, async () => ({ body: await keys.list() }));
  app.bind(rotateIdTokenKeys, async ({ actor, body }) => ({ body: await keys.rotate(actor, body) }));
}
