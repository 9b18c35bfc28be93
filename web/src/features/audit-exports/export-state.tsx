/** How far an export is, and its file once it is there. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { text } from "../../text/audit-exports.ts";
import { Badge } from "../../ui/badge.tsx";
import { formatBytes } from "../../ui/size.ts";

const tones = { queued: "info", running: "info", done: "good", failed: "bad" } as const;

export function ExportState({ made }: { made: Schemas["AuditExport"] }) {
  const { status, progress, error, download_url: url, bytes, sha256, format } = made;
  if (status === "done" && url !== null)
    return (
      <>
        <a href={url} aria-label={text.downloadOf(format)} title={`${text.sha256} ${sha256}`}>
          {text.download}
        </a>{" "}
        {formatBytes(bytes ?? 0)}
      </>
    );
  return (
    <>
      <Badge tone={tones[status]}>{text.statuses[status]}</Badge>{" "}
      {status === "running" ? text.progress(progress) : null}
      {status === "done" ? text.gone : null}
      {error}
    </>
  );
}
