/** Secrets of a local run: values that a developer gives, for the jobs that name them. Pure. */
import type { PlanJob } from "@forgeline/schemas/pipeline-file/plan.ts";
import { neededSecrets } from "@forgeline/server/domains/pipelines/secrets/needed-secrets.ts";

export type SecretValues = Readonly<Record<string, string>>;

/** Why a job cannot run with these; null if it can. */
export function missingSecret(
  job: PlanJob,
  values: SecretValues,
): { reason: string; message: string } | null {
  const missing = neededSecrets(job).find(({ name, optional }) => !optional && !Object.hasOwn(values, name));
  if (!missing) return null;
  const { name } = missing;
  return {
    reason: `secret_missing:${name}`,
    message: `No value is given for the secret ${name}: use --secrets FILE.`,
  };
}

/** No other ones reach the job, so that it works here as it does on a server. */
export function secretsOf(job: PlanJob, values: SecretValues): Record<string, string> {
  return Object.fromEntries(
    neededSecrets(job).flatMap(({ name }) => {
      const value = Object.hasOwn(values, name) ? values[name] : undefined;
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
