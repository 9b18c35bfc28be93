/** Artifacts of a job: from the file to its plan, and their names once the job's values are known. */
import type { FileArtifact } from "@forgeline/schemas/pipeline-file/file-artifacts.ts";
import type { PlanArtifact } from "@forgeline/schemas/pipeline-file/plan-artifact.ts";
import type { PlanJob } from "@forgeline/schemas/pipeline-file/plan.ts";
import { artifactNamePattern, artifactNameRule } from "@forgeline/schemas/pipelines/artifact-name.ts";
import { durationMs } from "./duration.ts";
import { ExpressionProblem } from "./expression/problem.ts";
import type { Contexts } from "./expression/values.ts";
import { renderTemplate } from "./template.ts";

const defaultExpire = "30d";

/** Nothing where there are none, as in plans of earlier runs. */
export function planArtifacts(written: readonly FileArtifact[] | undefined): Pick<PlanJob, "artifacts"> {
  return written && written.length > 0 ? { artifacts: written.map(planArtifact) } : {};
}

function planArtifact({ name, paths, exclude, expire, when, required }: FileArtifact): PlanArtifact {
  return {
    name,
    paths: [paths].flat(),
    exclude: [exclude ?? []].flat(),
    expireMs: durationMs(expire ?? defaultExpire),
    when: when ?? "success",
    required: required ?? false,
  };
}

/** Throws `ExpressionProblem` for a name that no artifact can have, or that two of the job would have. */
export function renderArtifacts(
  artifacts: PlanJob["artifacts"],
  contexts: Contexts,
): Pick<PlanJob, "artifacts"> {
  if (artifacts === undefined) return {};
  const rendered = artifacts.map((artifact) => ({
    ...artifact,
    name: renderTemplate(artifact.name, contexts),
  }));
  const names = rendered.map(({ name }) => name);
  for (const [i, name] of names.entries()) {
    if (!artifactNamePattern.test(name))
      throw problem(`the name of an artifact must be ${artifactNameRule}, not "${name}"`);
    if (names.indexOf(name) !== i) throw problem(`two artifacts of this job have the name "${name}"`);
  }
  return { artifacts: rendered };
}

function problem(message: string): ExpressionProblem {
  return new ExpressionProblem("P204", { start: 0, end: 0 }, { message });
}
