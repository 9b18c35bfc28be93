/** Binds what administrators do with accounts. */
import type { AdministeredUser } from "@forgeline/schemas/administration/resource.ts";
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
  presentUser,
  type UserService,
  type UserRow,
} from "../../../domains/accounts/domain.ts";

export function registerUserAdministrationRoutes(
  app: RouteBinder,
  deps: { users: UserService; userAdministration: UserAdministration; addresses: Addresses },
): void {
  const { users, userAdministration } = deps;
  const present = (row: UserRow) => presentAdministered(row, deps.addresses);
  app.bind(listUsers, async ({ query }) => {
    const { rows, total } = await userAdministration.list(query);
    return { body: rows.map(present), total };
  });
  app.bind(getAdministeredUser, async ({ params }) => ({
    body: present(await users.getByName(params.username)),
  }));
  app.bind(updateAdministeredUser, async ({ actor, params, body }) => ({
    body: present(await userAdministration.update(actor, params.username, body)),
  }));
  const suspend = async (
    suspended: boolean,
    actor: Parameters<UserAdministration["update"]>[0],
    name: string,
  ) => void (await userAdministration.update(actor, name, { suspended }));
  app.bind(suspendUser, ({ actor, params }) => suspend(true, actor, params.username));
  app.bind(unsuspendUser, ({ actor, params }) => suspend(false, actor, params.username));
}

function presentAdministered(row: UserRow, addresses: Addresses): AdministeredUser {
  const { avatar_url: _avatar, ...shown } = presentUser(row, addresses);
  return {
    ...shown,
    email: row.email,
    plan: row.plan,
    admin: row.is_admin,
    suspended: row.suspended,
    two_factor_enabled: row.two_factor_enabled,
    url: `${addresses.baseUrl}/admin/users/${encodeURIComponent(row.username)}`,
  };
}
