/** The audit log of an organization. */
import { api } from "../../api/client.ts";
import { text } from "../../text/organizations.ts";
import { AuditLog } from "../audit/audit-log.tsx";
import { useOrganization } from "./use-organization.ts";

export function OrganizationAuditPage() {
  const { org } = useOrganization();
  return (
    <AuditLog
      source={{
        key: org,
        within: org,
        lead: text.auditLead,
        exports: `/orgs/${org}/audit-log/exports`,
        stream: `/orgs/${org}/audit-log/stream`,
        fetchPage: (query) => api.GET("/orgs/{org}/audit-log", { params: { path: { org }, query } }),
        verify: (query) => api.GET("/orgs/{org}/audit-log/verify", { params: { path: { org }, query } }),
      }}
    />
  );
}
