/** The steps of a job as they are written, in groups (`parallel`) or not, as one list in the order of the file. */
import type { z } from "zod";
import type { FileSingleStep, FileStep, FileStepGroup } from "@forgeline/schemas/pipeline-file/file-job.ts";
import { joinedSecrets } from "./build-secrets.ts";
import type { Path } from "./path.ts";

type RunStep = Exclude<z.infer<typeof FileSingleStep>, string>;

export interface WrittenStep {
  /** What its group gives it is in it. */
  step: RunStep;
  /** Below the job. */
  path: Path;
  /** Which entry of `steps` it is or belongs to. */
  entry: number;
  isInGroup: boolean;
}

/** All steps of a job. Those of a group have the same `entry`. */
export function writtenSteps(steps: readonly z.infer<typeof FileStep>[]): WrittenStep[] {
  return steps.flatMap((step, entry): WrittenStep[] => {
    const path = ["steps", entry];
    if (typeof step === "string" || !("parallel" in step))
      return [{ step: asMapping(step), path, entry, isInGroup: false }];
    const { parallel, ...given } = step;
    return parallel.map((inner, i) => ({
      step: withGroup(asMapping(inner), given),
      path: [...path, "parallel", i],
      entry,
      isInGroup: true,
    }));
  });
}

function asMapping(step: z.infer<typeof FileSingleStep>): RunStep {
  return typeof step === "string" ? { run: step } : step;
}

/** The step's own keys win; its variables and secrets are added to the group's. */
function withGroup(step: RunStep, { name, ...given }: Omit<FileStepGroup, "parallel">): RunStep {
  const env = { ...given.env, ...step.env };
  const merged = { ...given, ...step, env, ...joinedSecrets(given.secrets, step.secrets) };
  return name === undefined ? merged : { ...merged, name: `${name}: ${step.name ?? firstLine(step.run)}` };
}

/** The first line that does something, at most 80 characters: what a step without a name is called. */
export function firstLine(script: string): string {
  const lines = script.split("\n").map((line) => line.trim());
  const line =
    lines.find((text) => text !== "" && !text.startsWith("#")) ?? lines.find((text) => text !== "") ?? "run";
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}
