/** Binds the operations about users. */
import {
  getUser,
  getUserByName,
  listRepositoriesOfUser,
  signUp,
  updateUser,
} from "@forgeline/schemas/users/routes.ts";
import type { RouteBinder } from "../route-binder.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { userIdOf } from "../../../platform/access/actor.ts";
import { refuseForeignPage } from "../../../platform/credentials/session-cookie.ts";
import type { InstanceSettingsService } from "../../../domains/operation/domain.ts";
import { type RepositoryService, createRepositoryShow } from "../../../domains/hosting/domain.ts";
import { presentOwnUser, presentUser, type UserService } from "../../../domains/accounts/domain.ts";

export function registerUserRoutes(
  app: RouteBinder,
  deps: {
    users: UserService;
    instanceSettings: InstanceSettingsService;
    repositories: Pick<RepositoryService, "listVisible" | "visibleNames">;
    addresses: Addresses;
  },
): void {
  const { users, addresses } = deps;
  app.bind(getUser, async ({ actor }) => ({
    body: presentOwnUser(await users.get(userIdOf(actor)), addresses),
  }));
  app.bind(updateUser, async ({ actor, body }) => ({
    body: presentOwnUser(await users.update(actor, body), addresses),
  }));
  app.bind(signUp, async ({ actor, body, raw }) => {
    refuseForeignPage(raw.req.headers, addresses.webUrl);
    await deps.instanceSettings.requireOpenSignUp(actor.request?.ipAddress ?? "");
    const shown = presentUser(await users.signUp(actor, body), addresses);
    return { body: shown, location: shown.url };
  });
  app.bind(getUserByName, async ({ params }) => ({
    body: presentUser(await users.getByName(params.username), addresses),
  }));
  app.bind(listRepositoriesOfUser, async ({ actor, params, query }) => {
    const owner = await users.getByName(params.username);
    const { rows, total } = await deps.repositories.listVisible(actor, owner.id, query);
    return { body: await createRepositoryShow(deps).all(actor, rows), total };
  });
}
