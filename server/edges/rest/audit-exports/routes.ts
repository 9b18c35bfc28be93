/** Binds the operations on exports of audit logs. */
import {
  createAuditExport,
  createInstanceAuditExport,
  deleteAuditExport,
  deleteInstanceAuditExport,
  downloadAuditExport,
  getAuditExport,
  getInstanceAuditExport,
  listAuditExports,
  listInstanceAuditExports,
} from "@forgeline/schemas/audit-exports/routes.ts";
import type { AuditExportService } from "../../../domains/automation/domain.ts";
import type { RouteBinder } from "../route-binder.ts";
import { sendExport } from "./send-export.ts";

export function registerAuditExportRoutes(
  app: RouteBinder,
  { auditExportService: exports }: { auditExportService: AuditExportService },
): void {
  app.bindOrganization(createAuditExport, async ({ actor, organization, body }) => ({
    body: await exports.create(actor, organization, body),
  }));
  app.bindOrganization(listAuditExports, async ({ organization, query }) => {
    const { items, total } = await exports.list(organization, query);
    return { body: items, total };
  });
  app.bindOrganization(getAuditExport, async ({ organization, params }) => ({
    body: await exports.get(organization, params.id),
  }));
  app.bindOrganization(deleteAuditExport, ({ actor, organization, params }) =>
    exports.remove(actor, organization, params.id),
  );
  registerInstance(app, exports);
  app.bind(downloadAuditExport, async ({ params, query, raw }) =>
    sendExport(await exports.open(params.id, query), raw),
  );
}

function registerInstance(app: RouteBinder, exports: AuditExportService): void {
  app.bind(createInstanceAuditExport, async ({ actor, body }) => ({
    body: await exports.create(actor, null, body),
  }));
  app.bind(listInstanceAuditExports, async ({ query }) => {
    const { items, total } = await exports.list(null, query);
    return { body: items, total };
  });
  app.bind(getInstanceAuditExport, async ({ params }) => ({ body: await exports.get(null, params.id) }));
  app.bind(deleteInstanceAuditExport, ({ actor, params }) => exports.remove(actor, null, params.id));
}
