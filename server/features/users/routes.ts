/** Binds the operations about users. */
import { getUser } from "@forgeline/schemas/users/routes.ts";
import type { RouteBinder } from "../../http/route-binder.ts";
import type { Addresses } from "../../platform/addresses.ts";
import { AppError } from "../../platform/app-error.ts";
import { presentOwnUser } from "./present.ts";
import type { UserService } from "./service.ts";

export function registerUserRoutes(
  app: RouteBinder,
  deps: { users: UserService; addresses: Addresses },
): void {
  app.bind(getUser, async ({ actor }) => {
    if (!actor.userId) throw new AppError("unauthorized");
    return { body: presentOwnUser(await deps.users.get(actor.userId), deps.addresses) };
  });
}
