/**
 * How a runner executes jobs: in containers, or as processes of its own user. Jobs get to a runner of the second kind only by asking for
 * its label, which the runner cannot be without.
 */
import { z } from "zod";

export const RunnerExecutor = z.enum(["docker", "process"]);
export type RunnerExecutor = z.infer<typeof RunnerExecutor>;

export const processLabel = "executor=process";
/** As runners write a label that jobs must ask for. */
export const mandatoryProcessLabel = `!${processLabel}`;

/** Whether a job is made for such a runner; `executor=*` could mean any. */
export function asksForProcess(labels: readonly string[]): boolean {
  return labels.includes(processLabel);
}

/** The labels of a runner: the server and the runner itself decide about this one, whatever people write. */
export function withExecutorLabel(labels: readonly string[], executor: RunnerExecutor): string[] {
  const others = labels.filter((label) => label !== processLabel && label !== mandatoryProcessLabel);
  return executor === "process" ? [...others, mandatoryProcessLabel] : others;
}

/** Whether the labels of a runner claim an executor that it does not have. */
export function foreignProcessLabel(labels: readonly string[], executor: RunnerExecutor): boolean {
  return executor !== "process" && (labels.includes(processLabel) || labels.includes(mandatoryProcessLabel));
}

export const processLabelRule = `The label ${processLabel} belongs to runners with the process executor, which have it by themselves.`;
