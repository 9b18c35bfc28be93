/** Exports of the audit log of an organization. */
import { api } from "../../api/client.ts";
import { useOrganization } from "../organizations/use-organization.ts";
import { AuditExports } from "./audit-exports.tsx";

const all = "/orgs/{org}/audit-log/exports";

export function OrganizationExportsPage() {
  const { org } = useOrganization();
  return (
    <AuditExports
      source={{
        key: org,
        within: org,
        log: `/orgs/${org}/audit-log`,
        fetchPage: (query) => api.GET(all, { params: { path: { org }, query } }),
        create: (body) => api.POST(all, { params: { path: { org } }, body }),
        remove: (id) => api.DELETE("/orgs/{org}/audit-log/exports/{id}", { params: { path: { org, id } } }),
      }}
    />
  );
}
