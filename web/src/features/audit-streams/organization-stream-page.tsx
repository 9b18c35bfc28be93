/** The stream of the audit log of an organization. */
import { api } from "../../api/client.ts";
import { useOrganization } from "../organizations/use-organization.ts";
import { AuditStream } from "./audit-stream.tsx";

const at = "/orgs/{org}/audit-log/stream";

export function OrganizationStreamPage() {
  const { org } = useOrganization();
  const params = { path: { org } };
  return (
    <AuditStream
      source={{
        key: org,
        within: org,
        log: `/orgs/${org}/audit-log`,
        find: () => api.GET(at, { params }),
        set: (body) => api.PUT(at, { params, body }),
        test: () => api.POST("/orgs/{org}/audit-log/stream/test", { params }),
        remove: () => api.DELETE(at, { params }),
      }}
    />
  );
}
