/** What the engine is given for one step: image and environment with their templates filled in. */
import { stepEnvironment } from "@forgeline/compiler/job-env.ts";
import type { Contexts } from "@forgeline/compiler/expression/values.ts";
import { renderTemplate } from "@forgeline/compiler/template.ts";
import type { PlanStep } from "@forgeline/schemas/pipeline-file/plan.ts";
import type { StepCommand } from "../engine/engine.ts";
import type { JobContext } from "./job-context.ts";
import { engineImage, stepSecrets } from "./job-secrets.ts";

const workspace = "/workspace";
/** Where the engine mounts the server's authority; what programs in the job look at to trust it. */
const caPath = "/forgeline/ca.pem";
const caVariables = ["GIT_SSL_CAINFO", "SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS"];

/** Throws `ExpressionProblem`. */
export function stepCommand(
  { spec, settings }: Pick<JobContext, "spec" | "settings">,
  step: PlanStep,
  contexts: Contexts,
): StepCommand {
  const ci = { ...spec.ciEnv, CI_JOB_TOKEN: spec.token, CI_WORKSPACE: workspace };
  // Top and job are values by now; what looks like a template in them is somebody's text.
  const own = stepEnvironment({ ci: {}, top: {}, job: {}, step, contexts });
  const given = Object.entries({ ...spec.env, ...spec.job.env }).filter(([name]) => !name.startsWith("CI_"));
  const trust = settings.caFile === null ? {} : Object.fromEntries(caVariables.map((name) => [name, caPath]));
  const image = step.image && { ...step.image, name: renderTemplate(step.image.name, contexts) };
  const secrets = stepSecrets(spec, step);
  return {
    position: step.position,
    script: step.run,
    shell: step.shell,
    env: { ...trust, ...Object.fromEntries(given), ...own, ...spec.idTokens, ...secrets.env, ...ci },
    files: secrets.files,
    workdir: step.workdir,
    image: image && engineImage(image, spec),
  };
}
