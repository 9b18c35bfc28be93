/** Exports of the instance's audit log. */
import { api } from "../../api/client.ts";
import { text } from "../../text/administration.ts";
import { AuditExports } from "./audit-exports.tsx";

const all = "/admin/audit-log/exports";

export function InstanceExportsPage() {
  return (
    <AuditExports
      source={{
        // No organization is called this.
        key: "/",
        within: text.administration,
        log: "/-/admin/audit-log",
        fetchPage: (query) => api.GET(all, { params: { query } }),
        create: (body) => api.POST(all, { body }),
        remove: (id) => api.DELETE("/admin/audit-log/exports/{id}", { params: { path: { id } } }),
      }}
    />
  );
}
