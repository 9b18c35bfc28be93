/** `environment` of a job, as an author writes it. */
import { z } from "zod";

const name = z
  .string()
  .describe("Name of the environment. ${{ }} may use what is known when the run is created, and the matrix.");

export const FileEnvironment = z
  .union([
    name,
    z.strictObject({
      name,
      url: z
        .string()
        .optional()
        .describe(
          "Address of what is deployed: http or https. ${{ }} may also use jobs that this one needs.",
        ),
    }),
  ])
  .meta({
    id: "environment",
    description: "What the job deploys to, with protection, variables, secrets and history of its own.",
  });
export type FileEnvironment = z.infer<typeof FileEnvironment>;
