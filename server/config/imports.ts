/** Settings of the configuration about imports from other hosts. */
import { z } from "zod";

export const importSettings = {
  FORGELINE_IMPORT_ARCHIVE_MAX_BYTES: z.coerce
    .number()
    .int()
    .min(1)
    .default(10_737_418_240)
    .describe(
      "Maximum size of an uploaded export of GitHub or GitLab, in bytes. Unpacked it may be ten times as large.",
    ),
};

type ImportEnvironment = z.infer<z.ZodObject<typeof importSettings>>;

export interface ImportLimits {
  archiveMaxBytes: number;
}

export function toImportLimits(env: ImportEnvironment): ImportLimits {
  return { archiveMaxBytes: env.FORGELINE_IMPORT_ARCHIVE_MAX_BYTES };
}
