/**
 * Runner labels: plain words (`docker`) or `key=value`. A job may request `key=*`, so a runner is stored with
 * `key=*` beside each of its `key=value`; matching is then plain containment in SQL. A `!` before a label of a runner makes it
 * mandatory: the runner has the label, and takes only jobs that ask for it. What a job needs beside the labels in its file, and
 * not every runner has, is matched in the same way, as labels that nobody can write (`@network_none`).
 */
import { withExecutorLabel, type RunnerExecutor } from "@forgeline/schemas/runners/executor.ts";
import { featureLabel, RunnerFeature } from "@forgeline/schemas/runners/feature.ts";
import { featuresOf, type AskingJob } from "./job-features.ts";

const mandatory = "!";

/** Of jobs that are signed. Every runner has it; one that executes nothing else takes only jobs that ask for it. */
export const signedLabel = "@signed";

/** What the queue compares: each label once, and `key=*` for each `key=value`. */
export function matchLabels(labels: readonly string[]): string[] {
  const result = new Set<string>();
  for (const given of labels) {
    const label = given.startsWith(mandatory) ? given.slice(1) : given;
    result.add(label);
    const equals = label.indexOf("=");
    if (equals > 0) result.add(`${label.slice(0, equals)}=*`);
  }
  return [...result].sort();
}

/** The labels that a job must ask for, without their `!`. */
export function mandatoryLabels(labels: readonly string[]): string[] {
  const marked = labels.filter((label) => label.startsWith(mandatory)).map((label) => label.slice(1));
  return [...new Set(marked)].sort();
}

/**
 * The labels that a runner has by its executor, whatever labels it or people name: no job comes to a runner without containers that does not
 * ask for it.
 */
export function executorLabels(executor: RunnerExecutor): { match: string[]; mustName: string[] } {
  const labels = withExecutorLabel([], executor);
  return { match: matchLabels(labels), mustName: mandatoryLabels(labels) };
}

/** Those that a runner or people name beside these. */
export function otherLabels(labels: readonly string[]): { match: string[]; mustName: string[] } {
  const others = withExecutorLabel(labels, "docker");
  return { match: matchLabels(others), mustName: mandatoryLabels(others) };
}

/** Those that this server knows, of what a runner said. */
export function featureLabels(said: readonly string[]): string[] {
  const known = said.flatMap((name) => RunnerFeature.safeParse(name).data ?? []);
  return [...new Set(known)].sort().map(featureLabel);
}

/** What a runner must have for the job, in the order of the queue. */
export function neededLabels(job: AskingJob): string[] {
  return [...new Set([...job.runnerLabels, ...featuresOf(job).map(featureLabel)])].sort();
}
