/** The stream of the instance's audit log. */
import { api } from "../../api/client.ts";
import { text } from "../../text/administration.ts";
import { AuditStream } from "./audit-stream.tsx";

const at = "/admin/audit-log/stream";

export function InstanceStreamPage() {
  return (
    <AuditStream
      source={{
        // No organization is called this.
        key: "/",
        within: text.administration,
        log: "/-/admin/audit-log",
        find: () => api.GET(at),
        set: (body) => api.PUT(at, { body }),
        test: () => api.POST("/admin/audit-log/stream/test"),
        remove: () => api.DELETE(at),
      }}
    />
  );
}
