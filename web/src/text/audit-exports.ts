/** Words of exports of audit logs. */
import type { Schemas } from "@forgeline/client/schemas.ts";

type Export = Schemas["AuditExport"];

export const text = {
  title: "Exports",
  lead: "Files with entries of this audit log. They are kept for 7 days.",
  back: "Audit log",
  docs: "How exports work",
  add: "Export",
  addLead: "All entries that match, oldest first, as they are now.",
  added: "The export has begun.",
  none: "No exports yet",
  noneHint: "Export the log, or the entries that match a filter, to a file.",
  format: "Format",
  formats: {
    csv: "CSV, for spreadsheets",
    jsonl: "JSON Lines, an object on each line",
    json: "JSON, one array",
  } satisfies Record<Export["format"], string>,
  actor: "Actor",
  action: "Action",
  since: "From",
  until: "To",
  q: "Text",
  status: "Status",
  statuses: {
    queued: "waiting",
    running: "running",
    done: "succeeded",
    failed: "failed",
  } satisfies Record<Export["status"], string>,
  progress: (part: number) => `${Math.floor(part * 100)} %`,
  filters: "Filter",
  everything: "everything",
  rows: "Entries",
  size: "Size",
  sha256: "SHA-256",
  requested: "Requested",
  by: (name: string) => `by ${name}`,
  download: "Download",
  downloadOf: (format: string) => `Download the file of ${format}`,
  gone: "removed",
  remove: "Delete",
  removeTitle: "Delete this export?",
  removeHint: "It stops if it is running, and its file is removed.",
  removed: "Deleted.",
};
