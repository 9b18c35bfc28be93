/** Binds the operations of administrators on accounts. */
import {
  getAdministeredUser,
  listUsers,
  updateAdministeredUser,
} from "@forgeline/schemas/administration/routes.ts";
import { suspendUser, unsuspendUser } from "@forgeline/schemas/users/routes.ts";
import type { RouteBinder } from "../route-binder.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import {
  type UserAdministration,
  presentAdministeredUser,
  type UserService,
} from "../../../domains/accounts/domain.ts";

export function registerUserAdministrationRoutes(
  app: RouteBinder,
  deps: { users: UserService; userAdministration: UserAdministration; addresses: Addresses },
): void {
  const { users, userAdministration, addresses } = deps;
  app.bind(listUsers, async ({ query }) => {
    const { rows, total } = await userAdministration.list(query);
    return { body: rows.map((row) => presentAdministeredUser(row, addresses)), total };
  });
  app.bind(getAdministeredUser, async ({ params }) => ({
    body: presentAdministeredUser(await users.getByName(params.username), addresses),
  }));
  app.bind(updateAdministeredUser, async ({ actor, params, body }) => ({
    body: presentAdministeredUser(await userAdministration.update(actor, params.username, body), addresses),
  }));
  const suspend = async (
    suspended: boolean,
    actor: Parameters<UserAdministration["update"]>[0],
    name: string,
  ) => void (await userAdministration.update(actor, name, { suspended }));
  app.bind(suspendUser, ({ actor, params }) => suspend(true, actor, params.username));
  app.bind(unsuspendUser, ({ actor, params }) => suspend(false, actor, params.username));
}
