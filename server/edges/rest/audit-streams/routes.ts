/** Binds the operations on streams of audit logs. */
import {
  deleteAuditStream,
  deleteInstanceAuditStream,
  getAuditStream,
  getInstanceAuditStream,
  setAuditStream,
  setInstanceAuditStream,
  testAuditStream,
  testInstanceAuditStream,
} from "@forgeline/schemas/audit-streams/routes.ts";
import type { AuditStreamService } from "../../../domains/automation/domain.ts";
import type { RouteBinder } from "../route-binder.ts";

export function registerAuditStreamRoutes(
  app: RouteBinder,
  { auditStreamService: streams }: { auditStreamService: AuditStreamService },
): void {
  app.bindOrganization(getAuditStream, async ({ organization }) => ({
    body: await streams.get(organization),
  }));
  app.bindOrganization(setAuditStream, async ({ actor, organization, body }) => ({
    body: await streams.set(actor, organization, body),
  }));
  app.bindOrganization(deleteAuditStream, ({ actor, organization }) => streams.remove(actor, organization));
  app.bindOrganization(testAuditStream, async ({ actor, organization }) => ({
    body: await streams.test(actor, organization),
  }));
  app.bind(getInstanceAuditStream, async () => ({ body: await streams.get(null) }));
  app.bind(setInstanceAuditStream, async ({ actor, body }) => ({
    body: await streams.set(actor, null, body),
  }));
  app.bind(deleteInstanceAuditStream, ({ actor }) => streams.remove(actor, null));
  app.bind(testInstanceAuditStream, async ({ actor }) => ({ body: await streams.test(actor, null) }));
}
