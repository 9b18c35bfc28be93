/** How far an export is, and its file once it is there. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { text } from "../../text/audit-exports.ts";
import { Badge } from "../../ui/badge.tsx";
import { CopyButton } from "../../ui/copy-field.tsx";
import { formatFileBytes } from "../../ui/file-size.ts";
import styles from "./audit-exports.module.css";

const tones = { queued: "info", running: "info", done: "good", failed: "bad" } as const;

export function ExportState({ made }: { made: Schemas["AuditExport"] }) {
  const { status, progress, error, download_url: url, bytes, sha256, format } = made;
  if (status === "done" && url !== null)
    return (
      <>
        <a href={url} aria-label={text.downloadOf(format)}>
          {text.download}
        </a>{" "}
        {formatFileBytes(bytes ?? 0)}
        {sha256 === null ? null : <Digest sha256={sha256} />}
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

const shownDigits = 12;

/** The whole of it on hover and by the button. */
function Digest({ sha256 }: { sha256: string }) {
  return (
    <div className={styles.digest}>
      {text.sha256} <code title={sha256}>{sha256.slice(0, shownDigits)}…</code>
      <CopyButton value={sha256} label={text.sha256} />
    </div>
  );
}
