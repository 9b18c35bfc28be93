/** The audit log of the instance. */
import { api } from "../../api/client.ts";
import { text } from "../../text/administration.ts";
import { AuditLog } from "../audit/audit-log.tsx";

export function InstanceAuditPage() {
  return (
    <AuditLog
      source={{
        // No organization is called this.
        key: "/",
        within: text.administration,
        lead: text.auditLead,
        exports: "/-/admin/audit-log/exports",
        stream: "/-/admin/audit-log/stream",
        fetchPage: (query) => api.GET("/admin/audit-log", { params: { query } }),
        verify: (query) => api.GET("/admin/audit-log/verify", { params: { query } }),
      }}
    />
  );
}
