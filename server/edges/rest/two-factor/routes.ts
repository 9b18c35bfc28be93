/** Binds the operations on the second factor; changes require the password again. */
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
import type { TwoFactorService } from "../../../domains/accounts/domain.ts";

export function registerTwoFactorRoutes(
  app: RouteBinder,
  { twoFactor, addresses }: { twoFactor: TwoFactorService; addresses: Addresses },
): void {
  app.bind(getTwoFactor, async ({ actor }) => ({ body: await twoFactor.get(actor) }));
  app.bind(prepareTwoFactor, async ({ actor, body }) => ({
    body: await twoFactor.prepare(actor, body.password),
    location: `${addresses.baseUrl}/user/two-factor`,
  }));
  app.bind(enableTwoFactor, async ({ actor, body }) => ({
    body: { recovery_codes: await twoFactor.enable(actor, body.otp) },
  }));
  app.bind(renewRecoveryCodes, async ({ actor, body }) => ({
    body: { recovery_codes: await twoFactor.renewRecoveryCodes(actor, body.password) },
  }));
  app.bind(disableTwoFactor, ({ actor, body }) => twoFactor.disable(actor, body.password));
  app.bind(removeUserTwoFactor, ({ actor, params }) => twoFactor.disableFor(actor, params.username));
}
