/** Binds reading and proving the audit log. */
import {
  listAuditLog,
  listInstanceAuditLog,
  verifyAuditLog,
  verifyInstanceAuditLog,
  type AuditQuery,
} from "@forgeline/schemas/audit/routes.ts";
import type { RouteBinder } from "../route-binder.ts";
import { presentEntry, type AuditService } from "../../../domains/operation/domain.ts";

export function registerAuditRoutes(app: RouteBinder, { audit }: { audit: AuditService }): void {
  const list = async (owner: string | null, query: AuditQuery) => {
    const { rows, total } = await audit.list(owner, query);
    return { body: rows.map(presentEntry), total };
  };
  app.bindOrganization(listAuditLog, ({ organization, query }) => list(organization.id, query));
  app.bindOrganization(verifyAuditLog, async ({ organization, query }) => ({
    body: await audit.verify(organization.id, query),
  }));
  app.bind(listInstanceAuditLog, ({ query }) => list(null, query));
  app.bind(verifyInstanceAuditLog, async ({ query }) => ({ body: await audit.verify(null, query) }));
}
