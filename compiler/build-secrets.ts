/** Secrets in one form, however the file names them. */
import type { FileIdToken } from "@forgeline/schemas/pipeline-file/file-id-token.ts";
import type {
  FileImageAuth,
  FileSecret,
  FileSecrets,
} from "@forgeline/schemas/pipeline-file/file-secrets.ts";
import type { PlanImageAuth, PlanJob, PlanSecret } from "@forgeline/schemas/pipeline-file/plan.ts";

/** Nothing where the file names none. */
export function planSecrets(secrets: FileSecrets | undefined): { secrets?: PlanSecret[] } {
  const listed = listedSecrets(secrets);
  return listed.length === 0 ? {} : { secrets: listed };
}

export function planIdTokens(tokens: FileIdToken | undefined): Pick<PlanJob, "idTokens"> {
  const listed = Object.entries(tokens ?? {}).map(([name, audience]) => ({ name, audience }));
  return listed.length === 0 ? {} : { idTokens: listed };
}

/** In the order of the file. */
export function listedSecrets(secrets: FileSecrets | undefined): PlanSecret[] {
  return asList(secrets).map((secret) => {
    if (typeof secret === "string") return { name: secret, env: secret, file: null, optional: false };
    const { name, env, file = null, optional = false } = secret;
    return { name, env: env ?? (file === null ? name : null), file, optional };
  });
}

/** Those of a group of steps and those of a step in it. */
export function joinedSecrets(
  group: FileSecrets | undefined,
  own: FileSecrets | undefined,
): { secrets?: FileSecrets } {
  const secrets = [...asList(group), ...asList(own)];
  return secrets.length === 0 ? {} : { secrets };
}

function asList(secrets: FileSecrets | undefined): (string | FileSecret)[] {
  if (secrets === undefined || Array.isArray(secrets)) return secrets ?? [];
  return Object.entries(secrets).map(([env, name]) => ({ name, env }));
}

export function planImageAuth(auth: FileImageAuth): PlanImageAuth {
  return typeof auth === "string" ? { secret: auth } : auth;
}
