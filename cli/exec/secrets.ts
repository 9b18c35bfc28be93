/** Secrets of a local run: values that a developer gives, for the jobs that name them. Pure. */
import type { PlanJob } from "@forgeline/schemas/pipeline-file/plan.ts";
import { neededSecrets } from "@forgeline/server/domains/pipelines/secrets/needed-secrets.ts";

export type SecretValues = Readonly<Record<string, string>>;

const noServer = {
  reason: "id_token_refused",
  message: "It has an `id_token`, which only a server can make.",
};

/** Why a job cannot run with these; null if it can. */
export function missingSecret(
  job: PlanJob,
  values: SecretValues,
): { reason: string; message: string } | null {
  if (job.idTokens) return noServer;
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
