/** The secrets of one job: what each step, service and pull is given of them, and what must not be seen. Pure. */
import type { PlanImage, PlanSecret, PlanService, PlanStep } from "@forgeline/schemas/pipeline-file/plan.ts";
import type { LeaseSpec } from "@forgeline/schemas/runner-protocol/lease.ts";
import type { z } from "zod";
import {
  EngineError,
  type EngineImage,
  type EngineService,
  type RegistryCredentials,
} from "../engine/engine.ts";

type Values = Pick<LeaseSpec, "token" | "secrets" | "idTokens">;
type Image = z.infer<typeof PlanImage>;

/** All that is masked in logs and kept out of outputs; of what may be `user:password`, the password by itself too. */
export function hiddenValues({
  token,
  secrets = {},
  idTokens = {},
  job,
}: Values & Pick<LeaseSpec, "job">): string[] {
  const images = [job, ...job.steps, ...job.services].map(({ image }) => image?.auth);
  const joined = new Set(images.flatMap((auth) => (auth && "secret" in auth ? [auth.secret] : [])));
  const passwords = [...joined].map((name) => secrets[name]?.trim().split(":").slice(1).join(":") ?? "");
  return [token, ...Object.values(secrets), ...Object.values(idTokens), ...passwords];
}

export interface GivenSecrets {
  env: Record<string, string>;
  /** Contents of files, by the variables that hold their paths. */
  files: Record<string, string>;
}

/** The job's, then the step's, which win. Optional ones that there are not are left out. */
export function stepSecrets(
  { job, secrets = {} }: Pick<LeaseSpec, "job" | "secrets">,
  step: Pick<PlanStep, "secrets">,
): GivenSecrets {
  return givenSecrets([...(job.secrets ?? []), ...(step.secrets ?? [])], secrets);
}

function givenSecrets(wanted: readonly PlanSecret[], values: Readonly<Record<string, string>>): GivenSecrets {
  const env = new Map<string, string>();
  const files = new Map<string, string>();
  for (const { name, ...secret } of wanted) {
    const value = values[name];
    if (value === undefined) continue;
    if (secret.env !== null) {
      files.delete(secret.env);
      env.set(secret.env, value);
    }
    if (secret.file !== null) {
      env.delete(secret.file);
      files.set(secret.file, value);
    }
  }
  return { env: Object.fromEntries(env), files: Object.fromEntries(files) };
}

/** With the credentials that the file names for its registry. Throws `image_pull` where the secret has another form. */
export function engineImage(image: Image, values: Values): EngineImage {
  const credentials = image.auth && credentialsOf(image.auth, values.secrets ?? {});
  return credentials ? { ...image, credentials } : image;
}

function credentialsOf(
  auth: NonNullable<Image["auth"]>,
  values: Readonly<Record<string, string>>,
): RegistryCredentials | undefined {
  if ("password" in auth) {
    const password = values[auth.password];
    return password === undefined ? undefined : { username: auth.username, password: password.trim() };
  }
  const [username = "", ...rest] = (values[auth.secret] ?? "").trim().split(":");
  if (rest.length > 0) return { username, password: rest.join(":") };
  throw new EngineError("image_pull", `The secret ${auth.secret} is not of the form user:password.`);
}

export function engineService(service: z.infer<typeof PlanService>, values: Values): EngineService {
  const { files } = givenSecrets(service.secrets ?? [], values.secrets ?? {});
  return { ...service, image: engineImage(service.image, values), files };
}
