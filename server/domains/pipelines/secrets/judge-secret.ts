/** Whether a job may have a secret. Pure. */
import { matchesGlobs } from "@forgeline/compiler/glob.ts";
import { hasExpression } from "@forgeline/compiler/template.ts";
import { isRefAmong, namedText, refLimitText } from "../runs/ref-limits.ts";
import { withoutSecrets, type SourceTrust } from "../runs/source-trust.ts";
import type { NeededSecret } from "./needed-secrets.ts";

/** What a secret is limited to; empty lists limit nothing. */
export interface SecretLimits {
  branches: readonly string[];
  tags: readonly string[];
  events: readonly string[];
  stages: readonly string[];
  images: readonly string[];
  environments: readonly string[];
  /** Of names, or of owner and name where they have a slash. */
  repositories: readonly string[];
}

export interface RunFacts {
  trust: SourceTrust;
  /** Whoever started the run may still write to the repository. */
  isAllowed: boolean;
  event: string;
  branch: string | null;
  tag: string | null;
  stage: string;
  /** That the job deploys to; null: none. */
  environment: string | null;
  /** Somebody with Maintain made or confirmed that environment; otherwise it is the job that names it. */
  isConfirmed: boolean;
  /** Environments of the repository that have a secret, by its name: for those that the job finds none of. */
  elsewhere: ReadonlyMap<string, readonly string[]>;
  /** Owner and name, as it is called now. */
  repository: string;
}

/** Why not, as a sentence for whoever can change it; null: it may. `secret` is the nearest level's; undefined: there is none. */
export function refusalOf(
  secret: SecretLimits | undefined,
  needed: NeededSecret,
  facts: RunFacts,
): string | null {
  const name = `The secret ${needed.name}`;
  const ofSource = withoutSecrets(facts.trust);
  if (ofSource !== null) return ofSource;
  if (!facts.isAllowed)
    return "Whoever started this run may not write to the repository any more, so it gets no secrets.";
  if (!secret) return missingText(needed.name, facts);
  if (!isOfRepositories(secret.repositories, facts.repository))
    return `${name} is limited to other repositories than ${facts.repository}.`;
  if (!isRefAmong(secret, facts)) return `${name} ${refLimitText(secret, facts)}.`;
  if (!allows(secret.events, facts.event)) return `${name} is limited to other events than ${facts.event}.`;
  if (!allows(secret.stages, facts.stage)) return `${name} is limited to other stages than ${facts.stage}.`;
  if (!isPlaceOf(secret.environments, facts.environment))
    return `${name} is limited to ${namedText(["environment", "environments"], secret.environments).join("")}; this job deploys to ${facts.environment ?? "none"}.`;
  if (secret.environments.length > 0 && !facts.isConfirmed)
    return `${name} is limited to environments, and ${facts.environment} counts only once somebody with Maintain has created or confirmed it: forgeline environment create ${facts.environment}`;
  return secret.images.length === 0 ? null : refusalOfImages(secret.images, needed);
}

/** Why a job gets no identity tokens, by the same rule; null: it may have them. */
export function refusalOfIdTokens({
  trust,
  isAllowed,
}: Pick<RunFacts, "trust" | "isAllowed">): string | null {
  const ofSource = withoutSecrets(trust);
  if (ofSource !== null) return `${ofSource} The same goes for identity tokens.`;
  if (isAllowed) return null;
  return "Whoever started this run may not write to the repository any more, so it gets no identity tokens.";
}

/** A secret of an environment is only for jobs that deploy there, which is easily forgotten. */
function missingText(name: string, { elsewhere, environment }: RunFacts): string {
  const places = elsewhere.get(name) ?? [];
  if (places.length === 0) return `The secret ${name} does not exist.`;
  const named = namedText(["environment", "environments"], places).join("");
  return `The secret ${name} belongs to ${named}, and this job deploys to ${environment ?? "none"}.`;
}

/** Upper and lower case of owners and repositories are the same. */
function isOfRepositories(patterns: readonly string[], repository: string): boolean {
  if (patterns.length === 0) return true;
  const fullName = repository.toLowerCase();
  const name = fullName.slice(fullName.indexOf("/") + 1);
  const lower = patterns.map((pattern) => pattern.toLowerCase());
  return matchesGlobs(lower, lower.some((pattern) => pattern.includes("/")) ? fullName : name);
}

/** Upper and lower case of environments are the same. */
function isPlaceOf(patterns: readonly string[], environment: string | null): boolean {
  if (patterns.length === 0) return true;
  const lower = patterns.map((pattern) => pattern.toLowerCase());
  return environment !== null && matchesGlobs(lower, environment.toLowerCase());
}

function allows(patterns: readonly string[], text: string): boolean {
  return patterns.length === 0 || matchesGlobs(patterns, text);
}

function refusalOfImages(patterns: readonly string[], { name, images }: NeededSecret): string | null {
  const unknown = images.find(hasExpression);
  if (unknown !== undefined)
    return `The secret ${name} is limited to some images, and ${unknown} is known only when the step runs.`;
  const other = images.find((image) => !matchesGlobs(patterns, image));
  return other === undefined ? null : `The secret ${name} is limited to other images than ${other}.`;
}
