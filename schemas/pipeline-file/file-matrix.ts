/** The matrix of a job: values by name, and combinations that are added or left out. */
import { z } from "zod";
import { pipelineLimits } from "../pipeline-limits/limits.ts";

export const matrixNamePattern = /^[A-Za-z_][A-Za-z0-9_]{0,62}$/;

const expression = z
  .string()
  .regex(
    /^\s*\$\{\{[\s\S]+\}\}\s*$/,
    "one expression, as ${{ fromJson(needs.list.outputs.versions) }}, or a list",
  );
const name = z
  .string()
  .regex(matrixNamePattern, "a name of letters, digits and _, not beginning with a digit");
const scalar = z.union([z.string(), z.number(), z.boolean()]);

export const FileCombinations = z
  .array(z.record(name, scalar).meta({ minProperties: 1 }))
  .max(pipelineLimits.matrix_combinations.highest)
  .meta({ id: "combinations" });

export const FileMatrix = z
  .union([
    expression,
    z
      .object({
        include: z
          .union([expression, FileCombinations])
          .optional()
          .describe("Extends the combinations that it matches, else adds one."),
        exclude: z
          .union([expression, FileCombinations])
          .optional()
          .describe("Combinations to leave out; values that are not named match any."),
      })
      .catchall(z.union([expression, z.array(scalar).min(1)])),
  ])
  .meta({
    id: "matrix",
    description: "One job for each combination of these values. Values are text in ${{ matrix.<name> }}.",
  });
export type FileMatrix = z.infer<typeof FileMatrix>;

/** Values that a combination must have. */
export const FileMatrixFilter = z
  .record(name, scalar)
  .meta({ minProperties: 1, description: "Only combinations with these values." });
