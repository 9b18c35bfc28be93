/** Exports of an audit log (`decisions.md`, "Audit" and "Records"). */
import { z } from "zod";
import { AuditQuery } from "../audit/routes.ts";
import { idOf } from "../core/ids.ts";
import { timestamp } from "../core/time.ts";

/** Of one log, that are not done yet. */
export const maxOpenExports = 3;
export const exportFormats = ["json", "jsonl", "csv"] as const;
export const ExportFormat = z
  .enum(exportFormats)
  .describe("`json`: one array; `jsonl`: an object on each line; `csv`: with a line of titles.");
export type ExportFormat = z.infer<typeof ExportFormat>;

export const AuditFilters = AuditQuery.omit({ page: true, per_page: true });
export type AuditFilters = z.output<typeof AuditFilters>;

const text = z.string().optional();
/** As they were given. */
const shownFilters = z.object({ actor: text, action: text, target: text, since: text, until: text, q: text });

export const AuditExport = z
  .object({
    id: idOf("exp"),
    status: z.enum(["queued", "running", "done", "failed"]),
    format: ExportFormat,
    filters: shownFilters,
    progress: z.number().describe("Between 0 and 1: how much of the log has been read."),
    rows: z.number().int().describe("Entries so far."),
    bytes: z.number().int().nullable().describe("Of the file; null until it is done."),
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .nullable()
      .describe("Of the file; null until it is done."),
    download_url: z
      .string()
      .nullable()
      .describe(
        "Opens the file for 15 minutes, without a token. Null until it is done, and once it is removed.",
      ),
    expires_at: timestamp.nullable().describe("Until when `download_url` works."),
    kept_until: timestamp.nullable().describe("When the file is removed; null until it is done."),
    error: z.string().nullable().describe("Why it failed, as a sentence."),
    requested_by: z.string().nullable().describe("Null if the user is gone."),
    url: z.string(),
    web_url: z.string(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "AuditExport" });
export type AuditExport = z.infer<typeof AuditExport>;

export const AuditExportCreate = z
  .strictObject({ format: ExportFormat, ...AuditFilters.shape })
  .meta({ id: "AuditExportCreate", examples: [{ format: "csv", action: "repo.*", since: "2026-11-01" }] });
export type AuditExportCreate = z.output<typeof AuditExportCreate>;
