/** A template that a run uses, as it was when the run was created. */
import { z } from "zod";

export const RunTemplate = z
  .object({
    uses: z.string().describe("As the file names it; `./` in a template is shown with its repository."),
    repository: z.string().nullable().describe("Of another repository; null: the one of the run."),
    path: z.string(),
    ref: z
      .string()
      .nullable()
      .describe("As it is written after the `@`; null for the repository of the run."),
    sha: z
      .string()
      .nullable()
      .describe("The commit to which it is pinned; reruns use it too. Null where no server was asked."),
  })
  .meta({ id: "RunTemplate" });
export type RunTemplate = z.infer<typeof RunTemplate>;
