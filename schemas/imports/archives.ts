/** Exports of other hosts that are uploaded, to be imported. */
import { z } from "zod";
import { idOf } from "../core/ids.ts";
import { timestamp } from "../core/time.ts";

export const archiveId = idOf("iarc");

/** Of one person, at a time. */
export const maxImportArchives = 5;
/** After that an archive is removed, unless an import reads it. */
export const archiveDays = 7;

export const ImportArchive = z
  .object({
    id: archiveId,
    name: z.string().describe("Name of the file."),
    size_bytes: z.number().int(),
    expires_at: timestamp.describe("When it is removed, unless an import reads it then."),
    url: z.string(),
    web_url: z.string().describe("The page of your imports."),
    created_at: timestamp,
    updated_at: timestamp.describe("When all of it was there."),
  })
  .meta({ id: "ImportArchive" });
export type ImportArchive = z.infer<typeof ImportArchive>;
