/** Variables that every run of a repository, an organization or the instance has (`decisions.md`, "Records"). */
import { z } from "zod";
import { timestamp } from "../core/time.ts";

/** Of one repository, one organization, or the instance. */
export const maxVariables = 500;
/** Names and values of one level together, as the environment of a step counts them; also of all that one run has. */
export const maxVariablesBytes = 64 * 1024;
/** Of all environments of a repository together. */
export const maxEnvironmentVariablesBytes = 256 * 1024;
export const maxVariableChars = 64 * 1024;
export const maxVariableNameChars = 255;

/** Where a variable can be set; a later one wins. `run`, which stands for what a run is given, wins over all. */
export const setLevels = ["instance", "organization", "repository", "environment"] as const;
export const SetLevel = z.enum(setLevels);
export type SetLevel = z.infer<typeof SetLevel>;
export const VariableLevel = z.enum([...setLevels, "run"]);
export type VariableLevel = z.infer<typeof VariableLevel>;

export const VariableName = z
  .string()
  .max(maxVariableNameChars)
  .regex(
    /^(?!CI_)[A-Za-z_][A-Za-z0-9_]*$/,
    "Letters, digits and underscores, not beginning with a digit or with CI_.",
  );

export const Variable = z
  .object({
    name: z.string(),
    value: z.string(),
    level: SetLevel,
    changed_by: z.string().nullable().describe("User name; null if the user was deleted."),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "Variable" });
export type Variable = z.infer<typeof Variable>;

export const VariableSet = z
  .strictObject({ value: z.string().max(maxVariableChars) })
  .meta({ id: "VariableSet", examples: [{ value: "eu-central-1" }] });
export type VariableSet = z.infer<typeof VariableSet>;

/** A variable as a run has it. */
export const RunVariable = z
  .object({
    name: z.string(),
    value: z.string(),
    level: VariableLevel.describe("Where it comes from; `run`: it was given to this run."),
    environment: z
      .string()
      .exactOptional()
      .describe("With the level `environment`: only jobs that deploy to it have this value."),
    jobs: z
      .array(z.string())
      .exactOptional()
      .describe("With the level `environment`: the names of the jobs that deploy to it."),
    file_sets_in: z
      .array(z.string())
      .exactOptional()
      .describe(
        "Keys of the jobs for which the `env` of the file has this name: their steps see what stands there, not this value.",
      ),
  })
  .meta({ id: "RunVariable" });
export type RunVariable = z.infer<typeof RunVariable>;
