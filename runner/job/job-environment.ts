/** The environment that every step of a job has, without its own variables, secrets and identity tokens. Pure. */
import type { LeaseSpec } from "@forgeline/schemas/runner-protocol/lease.ts";
import type { SeenPlaces } from "../engine/engine.ts";
import type { JobSettings } from "./job-context.ts";

/** Where engines with containers mount the workspace and the server's authority. */
const inContainers: SeenPlaces = { workspace: "/workspace", caFile: "/forgeline/ca.pem" };
/** What programs in the job look at to trust the authority. */
const caVariables = ["GIT_SSL_CAINFO", "SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS"];

/** `CI_*`, which nothing of the file replaces. */
export function ciEnvironment(
  spec: Pick<LeaseSpec, "ciEnv" | "token" | "debug">,
  { workspace }: SeenPlaces = inContainers,
): Record<string, string> {
  const debug = spec.debug ? { CI_DEBUG: "true" } : {};
  return { ...spec.ciEnv, ...debug, CI_JOB_TOKEN: spec.token, CI_WORKSPACE: workspace };
}

/** Whom programs trust, the top of the file and the job's own. Top and job are values by now: what looks like a template in them is somebody's text. */
export function givenEnvironment(
  spec: Pick<LeaseSpec, "env" | "job">,
  settings: Pick<JobSettings, "caFile">,
  { caFile }: SeenPlaces = inContainers,
): Record<string, string> {
  const given = Object.entries({ ...spec.env, ...spec.job.env }).filter(([name]) => !name.startsWith("CI_"));
  const trust = settings.caFile === null ? {} : Object.fromEntries(caVariables.map((name) => [name, caFile]));
  return { ...trust, ...Object.fromEntries(given) };
}

/** Of a shell in the job. */
export function jobEnvironment(
  spec: Pick<LeaseSpec, "ciEnv" | "token" | "debug" | "env" | "job">,
  settings: Pick<JobSettings, "caFile">,
): Record<string, string> {
  return { ...givenEnvironment(spec, settings), ...ciEnvironment(spec) };
}
