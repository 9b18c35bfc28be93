/** The steps of a job as they are written, in groups (`parallel`), from templates (`uses`) or neither, as one list in their order. */
import type { z } from "zod";
import type {
  FileSingleStep,
  FileStep,
  FileStepGroup,
  FileTemplateStep,
} from "@forgeline/schemas/pipeline-file/file-job.ts";
import type { FileWhen } from "@forgeline/schemas/pipeline-file/file-when.ts";
import { joinedSecrets } from "./build-secrets.ts";
import type { Path } from "./path.ts";

type RunStep = Exclude<z.infer<typeof FileSingleStep>, string>;
type AnyStep = z.infer<typeof FileStep>;

export interface WrittenStep {
  /** What its group or template gives it is in it. */
  step: RunStep;
  /** Below the job. */
  path: Path;
  /** Which entry of `steps` it is or belongs to. */
  entry: number;
  /** The same for all steps of one `parallel`; null outside of it. */
  group: string | null;
  /** `when` beside each `uses` that brought it, outermost first. */
  outer: z.infer<typeof FileWhen>[];
  isOfTemplate: boolean;
}

/** All steps of a job. Those of a group or template have the same `entry`. The list belongs to nobody: do not change it. */
export function writtenSteps(steps: readonly AnyStep[]): readonly WrittenStep[] {
  let written = known.get(steps);
  if (!written) {
    written = steps.flatMap((step, entry) => stepsOf(step, ["steps", entry], entry));
    known.set(steps, written);
  }
  return written;
}
/** Each expression of a job asks for its steps. */
const known = new WeakMap<readonly AnyStep[], readonly WrittenStep[]>();

function stepsOf(step: AnyStep, path: Path, entry: number): WrittenStep[] {
  const alone = { path, entry, group: null, outer: [], isOfTemplate: false };
  if (typeof step === "string" || "run" in step) return [{ ...alone, step: asMapping(step) }];
  if ("uses" in step) return stepsOfTemplate(step, path, entry);
  const { parallel, ...given } = step;
  const group = path.join(".");
  return parallel.map((inner, i) => ({
    ...alone,
    step: withGroup(asMapping(inner), given),
    path: [...path, "parallel", i],
    group,
  }));
}

function stepsOfTemplate(template: FileTemplateStep, path: Path, entry: number): WrittenStep[] {
  const { uses: _uses, with: _with, id: _id, steps = [], when, ...given } = template;
  const inner = (steps as AnyStep[]).flatMap((step, i) => stepsOf(step, [...path, "steps", i], entry));
  return inner.map((one) => ({
    ...one,
    step: withGroup(one.step, given),
    outer: when === undefined ? one.outer : [when, ...one.outer],
    isOfTemplate: true,
  }));
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
