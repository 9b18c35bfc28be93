/** Binds the operations of administrators on the outbox of mails. */
import { getMail, listMails } from "@forgeline/schemas/mails/routes.ts";
import type { RouteBinder } from "../route-binder.ts";
import type { MailService } from "../../../domains/operation/domain.ts";

export function registerMailRoutes(app: RouteBinder, { mail }: { mail: MailService }): void {
  app.bind(listMails, async ({ query }) => {
    const { mails, total } = await mail.list(query);
    return { body: mails, total };
  });
  app.bind(getMail, async ({ params }) => ({ body: await mail.get(params.id) }));
}
