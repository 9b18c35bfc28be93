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
import { presentRepository, type RepositoryService } from "../../../domains/hosting/domain.ts";
import { presentOwnUser, presentUser, type UserService } from "../../../domains/accounts/domain.ts";

export function registerUserRoutes(
  app: RouteBinder,
  deps: {
    users: UserService;
    repositories: Pick<RepositoryService, "listOfUser">;
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
    const shown = presentUser(await users.signUp(actor, body), addresses);
    return { body: shown, location: shown.url };
  });
  app.bind(getUserByName, async ({ params }) => ({
    body: presentUser(await users.getByName(params.username), addresses),
  }));
  app.bind(listRepositoriesOfUser, async ({ actor, params, query }) => {
    const { views, total } = await deps.repositories.listOfUser(actor, params.username, query);
    return { body: views.map((view) => presentRepository(view, addresses)), total };
  });
}
