/** The job as it is to be executed: templates of job level evaluated, those of steps left to the runner. Pure. */
import type { PlanJob } from "@forgeline/schemas/pipeline/plan.ts";
import { renderText, type LanguageContext } from "./plan-language.ts";

/** Throws an `Error` that names the key. */
export function renderJob(job: PlanJob, context: LanguageContext): PlanJob {
  const render = (where: string, template: string): string => {
    try {
      return renderText(template, context);
    } catch (error) {
      throw new Error(`${where}: ${(error as Error).message}`, { cause: error });
    }
  };
  const renderEnv = (where: string, env: Record<string, string>) =>
    Object.fromEntries(Object.entries(env).map(([key, value]) => [key, render(`${where}.${key}`, value)]));
  return {
    ...job,
    name: render("name", job.name),
    image: { ...job.image, name: render("image", job.image.name) },
    env: renderEnv("env", job.env),
    services: job.services.map((service) => ({
      ...service,
      image: { ...service.image, name: render(`services.${service.key}.image`, service.image.name) },
      env: renderEnv(`services.${service.key}.env`, service.env),
    })),
  };
}
