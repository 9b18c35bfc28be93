/** Evaluates the job-level templates of a plan's job: what the server does before a job is queued. */
import { renderEnvironment } from "./environment-name.ts";
import { asksForProcess } from "@forgeline/schemas/runners/executor.ts";
import type { z } from "zod";
import type { PlanImage, PlanJob } from "@forgeline/schemas/pipeline-file/plan.ts";
import { ExpressionProblem } from "./expression/problem.ts";
import type { Contexts } from "./expression/values.ts";
import { renderArtifacts } from "./build-artifacts.ts";
import { renderEnv } from "./job-env.ts";
import { renderTrigger } from "./build-trigger.ts";
import { renderPriority } from "./priority.ts";
import { labelProblems } from "./runner-labels.ts";
import { renderTemplate } from "./template.ts";

/** Its priority is a number, which runners of all versions can read. */
export type RenderedJob = Omit<PlanJob, "priority"> & { priority?: number };

/**
 * The job with name, labels, priority, image, env and services evaluated. Steps and outputs stay templates: the runner evaluates them,
 * since only it knows `steps`. Throws `ExpressionProblem` with a sentence for people.
 */
export function renderJob({ priority, ...job }: PlanJob, contexts: Contexts): RenderedJob {
  const runnerLabels = job.runnerLabels.map((label) => renderTemplate(label, contexts));
  checkLabels(runnerLabels);
  return {
    ...job,
    runnerLabels,
    name: renderTemplate(job.name, contexts),
    image: hasNoImage(job) ? job.image : renderImage(job.image, contexts),
    env: renderEnv(job.env, contexts),
    services: job.services.map((service) => ({
      ...service,
      image: renderImage(service.image, contexts),
      env: renderEnv(service.env, contexts),
    })),
    ...renderPriority(priority, contexts),
    ...renderArtifacts(job.artifacts, contexts),
    ...renderEnvironment(job.environment, contexts),
    ...renderTrigger(job.trigger, contexts),
  };
}

/** What starts another pipeline, or runs without a container. */
export function hasNoImage({ trigger, runnerLabels }: PlanJob): boolean {
  return trigger !== undefined || asksForProcess(runnerLabels);
}

/** Files are checked when they are compiled; the plan of an older run may be from before that. */
function checkLabels(labels: readonly string[]): void {
  const empty = { code: "P204", message: "a runner label is empty", hint: null } as const;
  const [problem] = labels.some((label) => label.trim() === "") ? [empty] : labelProblems(labels);
  if (problem)
    throw new ExpressionProblem(
      problem.code,
      { start: 0, end: 0 },
      { message: problem.message, hint: problem.hint },
    );
}

/** An image's name must not become empty. */
export function renderImage(image: z.infer<typeof PlanImage>, contexts: Contexts): z.infer<typeof PlanImage> {
  const name = renderTemplate(image.name, contexts).trim();
  if (name !== "") return { ...image, name };
  const message = `the image ${image.name} is empty`;
  throw new ExpressionProblem("P204", { start: 0, end: image.name.length }, { message });
}
