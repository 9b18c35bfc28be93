/** Binds the operations on who people of another host are here. */
import {
  acceptImportRequest,
  declineImportRequest,
  listImportPeople,
  listImportRequests,
  nameImportPerson,
} from "@forgeline/schemas/imports/routes.ts";
import type { ImportPeople } from "../../../domains/automation/domain.ts";
import type { RouteBinder } from "../route-binder.ts";

export function registerImportPeopleRoutes(
  app: RouteBinder,
  { importPeople: people }: { importPeople: ImportPeople },
): void {
  app.bind(listImportPeople, async ({ actor, params, query }) => {
    const { items, total } = await people.list(actor, params.id, query);
    return { body: items, total };
  });
  app.bind(nameImportPerson, async ({ actor, params, body }) => ({
    body: await people.name(actor, params.id, body),
  }));
  app.bind(listImportRequests, async ({ actor, query }) => {
    const { items, total } = await people.listRequests(actor, query);
    return { body: items, total };
  });
  app.bind(acceptImportRequest, async ({ actor, params }) => ({
    body: await people.accept(actor, params.id),
  }));
  app.bind(declineImportRequest, ({ actor, params }) => people.decline(actor, params.id));
}
