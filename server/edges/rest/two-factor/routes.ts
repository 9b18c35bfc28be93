/** Binds the operations about the second factor; what changes it asks for the password again. */
import {
  disableTwoFactor,
  enableTwoFactor,
  getTwoFactor,
  prepareTwoFactor,
  removeUserTwoFactor,
  renewRecoveryCodes,
} from "@forgeline/schemas/two-factor/routes.ts";
import type { RouteBinder } from "../route-binder.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { userIdOf } from "../../../platform/access/actor.ts";
import type { SignInService, UserService, TwoFactorService } from "../../../domains/accounts/domain.ts";

export interface TwoFactorRouteDeps {
  twoFactor: TwoFactorService;
  signIn: SignInService;
  users: UserService;
  addresses: Addresses;
}

export function registerTwoFactorRoutes(app: RouteBinder, deps: TwoFactorRouteDeps): void {
  const { twoFactor, signIn } = deps;
  app.bind(getTwoFactor, async ({ actor }) => ({ body: await twoFactor.get(actor) }));
  app.bind(prepareTwoFactor, async ({ actor, body }) => {
    await signIn.confirmPassword(actor, body.password, "password");
    return { body: await twoFactor.prepare(actor), location: `${deps.addresses.baseUrl}/user/two-factor` };
  });
  app.bind(enableTwoFactor, async ({ actor, body }) => ({
    body: { recovery_codes: await twoFactor.enable(actor, body.otp) },
  }));
  app.bind(renewRecoveryCodes, async ({ actor, body }) => {
    await signIn.confirmPassword(actor, body.password, "password");
    return { body: { recovery_codes: await twoFactor.renewRecoveryCodes(actor) } };
  });
  app.bind(disableTwoFactor, async ({ actor, body }) => {
    await signIn.confirmPassword(actor, body.password, "password");
    await twoFactor.disable(actor, { id: userIdOf(actor), username: actor.username });
  });
  app.bind(removeUserTwoFactor, async ({ actor, params }) =>
    twoFactor.disable(actor, await deps.users.getByName(params.username)),
  );
}
