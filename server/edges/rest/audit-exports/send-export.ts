/** Sends the file of an export at the client's pace. */
import { pipeline } from "node:stream/promises";
import type { Response } from "express";
import type { ExportFile } from "../../../domains/automation/domain.ts";
import { sentByHandler } from "../route-binder.ts";

const types = {
  json: "application/json",
  jsonl: "application/x-ndjson",
  csv: "text/csv; charset=utf-8",
} as const;

/** Cuts the connection if the file ends early: an answer that has begun cannot be changed. */
export async function sendExport(
  { content, sizeBytes, format, name }: ExportFile,
  { res }: { res: Response },
): Promise<typeof sentByHandler> {
  res.writeHead(200, {
    "Content-Type": types[format],
    "Content-Disposition": `attachment; filename="${name}"`,
    "Content-Length": sizeBytes,
    "Cache-Control": "private, no-store",
  });
  await pipeline(content, res).catch(() => res.destroy());
  return sentByHandler;
}
