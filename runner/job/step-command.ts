/** What the engine is given for one step: image and environment with their templates filled in. */
import { stepEnvironment } from "@forgeline/compiler/job-env.ts";
import type { Contexts } from "@forgeline/compiler/expression/values.ts";
import { renderTemplate } from "@forgeline/compiler/template.ts";
import type { PlanStep } from "@forgeline/schemas/pipeline-file/plan.ts";
import type { JobEnvironment, StepCommand } from "../engine/engine.ts";
import type { JobContext } from "./job-context.ts";
import { ciEnvironment, givenEnvironment } from "./job-environment.ts";
import { engineImage, stepSecrets } from "./job-secrets.ts";

type StepContext = Pick<JobContext, "spec" | "settings"> & {
  environment?: Pick<JobEnvironment, "seenAt">;
  /** Of the job, as far as it has come. */
  status: string;
};

/** Throws `ExpressionProblem`. */
export function stepCommand(
  { spec, settings, environment, status }: StepContext,
  step: PlanStep,
  contexts: Contexts,
): StepCommand {
  const own = stepEnvironment({ ci: {}, top: {}, job: {}, step, contexts });
  const given = givenEnvironment(spec, settings, environment?.seenAt);
  const image = step.image && { ...step.image, name: renderTemplate(step.image.name, contexts) };
  const secrets = stepSecrets(spec, step);
  return {
    position: step.position,
    script: step.run,
    shell: step.shell,
    traced: spec.debug,
    env: {
      ...given,
      ...own,
      ...spec.idTokens,
      ...secrets.env,
      ...ciEnvironment(spec, environment?.seenAt),
      CI_JOB_STATUS: status,
    },
    files: secrets.files,
    workdir: step.workdir,
    image: image && engineImage(image, spec),
  };
}
