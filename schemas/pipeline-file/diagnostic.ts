/** One problem found in a pipeline file (`pipelines.md` section 4). Lines and columns count from 1. */
import { z } from "zod";

export const Diagnostic = z
  .object({
    code: z.string().regex(/^[PW][0-9]{3}$/),
    severity: z.enum(["error", "warning"]),
    file: z.string(),
    line: z.number().int().min(1),
    column: z.number().int().min(1),
    end_line: z.number().int().min(1),
    end_column: z.number().int().min(1),
    message: z.string(),
    hint: z.string().nullable(),
    docs: z.string().describe("Path below {docs_url}, for example /pipelines/errors#P104."),
    used_by: z
      .array(z.object({ file: z.string(), line: z.number().int().min(1), column: z.number().int().min(1) }))
      .optional()
      .describe(
        "Of a template: the places that use it, from the pipeline file on. Absent for the file itself.",
      ),
  })
  .meta({ id: "Diagnostic" });
export type Diagnostic = z.infer<typeof Diagnostic>;
