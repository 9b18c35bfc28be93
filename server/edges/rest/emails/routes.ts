/** Binds the operations on e-mail addresses and on codes sent by mail. */
import {
  createEmail,
  deleteEmail,
  listEmails,
  requestEmailVerification,
  requestPasswordReset,
  resetPassword,
  updateEmail,
  verifyEmail,
} from "@forgeline/schemas/emails/routes.ts";
import type { RouteBinder } from "../route-binder.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { refuseForeignPage } from "../../../platform/credentials/session-cookie.ts";
import { presentEmail, type EmailService, type PasswordReset } from "../../../domains/accounts/domain.ts";

export function registerEmailRoutes(
  app: RouteBinder,
  deps: { emails: EmailService; passwordReset: PasswordReset; addresses: Addresses },
): void {
  const { emails, addresses } = deps;
  app.bind(listEmails, async ({ actor, query }) => {
    const { rows, total } = await emails.list(actor, query);
    return { body: rows.map((row) => presentEmail(row, addresses)), total };
  });
  app.bind(createEmail, async ({ actor, body }) => {
    const shown = presentEmail(await emails.add(actor, body.email), addresses);
    return { body: shown, location: shown.url };
  });
  app.bind(updateEmail, async ({ actor, params }) => ({
    body: presentEmail(await emails.makePrimary(actor, params.id), addresses),
  }));
  app.bind(deleteEmail, async ({ actor, params }) => emails.remove(actor, params.id));
  app.bind(requestEmailVerification, async ({ actor, params }) =>
    emails.resendVerification(actor, params.id),
  );
  app.bind(verifyEmail, async ({ actor, body, raw }) => {
    refuseForeignPage(raw.req.headers, addresses.webUrl);
    await emails.verify(actor, body.token);
  });
  app.bind(requestPasswordReset, async ({ body, raw }) => {
    refuseForeignPage(raw.req.headers, addresses.webUrl);
    await emails.requestReset(body.email);
  });
  app.bind(resetPassword, async ({ actor, body, raw }) => {
    refuseForeignPage(raw.req.headers, addresses.webUrl);
    await deps.passwordReset.complete(actor, body.token, body.password);
  });
}
