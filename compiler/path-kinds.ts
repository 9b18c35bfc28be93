/**
 * What a path of the file is: which object it belongs to and, for expressions, what they may see there. One table, so
 * that messages, keys that come later and expressions agree.
 */
import type { Path } from "./path.ts";

export type ObjectKind =
  | "file"
  | "on"
  | "on.push"
  | "on.tag"
  | "on.manual"
  | "on.input"
  | "on.schedule"
  | "on.sync"
  | "defaults"
  | "stage"
  | "job"
  | "step"
  | "service"
  | "secret"
  | "image"
  | "image.auth"
  | "need"
  | "artifact"
  | "cache"
  | "reports"
  | "clause"
  | "clone"
  | "resources"
  | "ready"
  | "retry"
  | "approval"
  | "concurrency"
  | "environment"
  | "network"
  | "trigger"
  | "other";

/** `*` stands for any key or index. Longest first where one is the beginning of another. */
const kinds: readonly (readonly [string, ObjectKind])[] = [
  ["", "file"],
  ["on", "on"],
  ["on.push", "on.push"],
  ["on.tag", "on.tag"],
  ["on.manual", "on.manual"],
  ["on.manual.inputs.*", "on.input"],
  ["on.schedule.*", "on.schedule"],
  ["on.mirror_sync", "on.sync"],
  ["on.fork_sync", "on.sync"],
  ["defaults", "defaults"],
  ["stages.*", "stage"],
  ["jobs.*", "job"],
  ["jobs.*.needs.*", "need"],
  ["jobs.*.trigger", "trigger"],
  ["jobs.*.artifacts.*", "artifact"],
  ["artifacts.*", "artifact"],
  ["jobs.*.cache.*", "cache"],
  ["cache.*", "cache"],
];

/** Objects that occur in several places, by the key that holds them. */
const byKey: Readonly<Record<string, ObjectKind>> = {
  image: "image",
  auth: "image.auth",
  when: "clause",
  clone: "clone",
  resources: "resources",
  ready: "ready",
  retry: "retry",
  approval: "approval",
  concurrency: "concurrency",
  environment: "environment",
  network: "network",
  reports: "reports",
};
const byListKey: Readonly<Record<string, ObjectKind>> = {
  steps: "step",
  parallel: "step",
  services: "service",
  secrets: "secret",
  when: "clause",
};

export function objectKind(path: Path): ObjectKind {
  const shape = path.map((part, i) => (isName(path, i) ? "*" : String(part))).join(".");
  const fixed = kinds.find(([pattern]) => pattern === shape);
  if (fixed) return fixed[1];
  const last = path.at(-1);
  const before = path.at(-2);
  // A job or service may be called "parallel" or "secrets": only what has an index is an item of such a list.
  const isItem = (before !== "parallel" && before !== "secrets") || typeof last === "number";
  if (before !== undefined && isItem && byListKey[before]) return byListKey[before] ?? "other";
  return byKey[String(last)] ?? "other";
}

/** Whether a part of the path is a name the author chose, or an index. */
function isName(path: Path, index: number): boolean {
  if (typeof path[index] === "number") return true;
  return (index === 1 && path[0] === "jobs") || (index === 3 && isInputs(path.slice(0, 3)));
}

/** What the file declares as inputs. */
export function isInputs(path: Path): boolean {
  return path.join(".") === inputsPath.join(".");
}
export const inputsPath: Path = ["on", "manual", "inputs"];

/** Contexts and functions that an expression may use. */
export type Scope = "run" | "name" | "matrix" | "needs" | "cache" | "step" | "outputs";

const scopes: readonly (readonly [RegExp, Scope])[] = [
  [/^(env\.[^.]+|defaults\.env\.[^.]+|defaults\.image(\.name)?)$/, "run"],
  [/^(image(\.name)?)$/, "run"],
  [/^services\.[^.]+\.(image(\.name)?|env\.[^.]+)$/, "run"],
  [/^artifacts\.\d+\.name$/, "run"],
  [/^(stages\.\d+\.)?concurrency(\.group)?$/, "run"],
  [/^jobs\.[^.]+\.(name|concurrency(\.group)?|environment(\.name)?)$/, "name"],
  [/^environment(\.(name|url))?$/, "run"],
  [/^defaults\.priority$/, "run"],
  [/^jobs\.[^.]+\.environment\.url$/, "needs"],
  [/^jobs\.[^.]+\.matrix\.[^.]+\.\d+(\.[^.]+)?$/, "matrix"],
  [/^jobs\.[^.]+\.(runner\.[^.]+|artifacts\.\d+\.name|priority)$/, "needs"],
  [/^jobs\.[^.]+\.(image(\.name)?|env\.[^.]+|services\.[^.]+\.(image(\.name)?|env\.[^.]+))$/, "needs"],
  [/^(jobs\.[^.]+\.)?cache\.\d+\.(key|restore\.\d+)$/, "cache"],
  [/^jobs\.[^.]+\.with\.[^.]+$/, "needs"],
  [/^jobs\.[^.]+\.trigger\.(pipeline|repository|ref|inputs\.[^.]+)$/, "needs"],
  [/^jobs\.[^.]+\.outputs\.[^.]+$/, "outputs"],
  [/^(jobs\.[^.]+\.)?steps\.\d+(\.(parallel|steps)\.\d+)*\.(name|image(\.name)?|(env|with)\.[^.]+)$/, "step"],
];

/** Where templates are allowed; null: `${{ }}` is refused there. */
export function templateScope(path: Path): Scope | null {
  const text = joined(path);
  return scopes.find(([pattern]) => pattern.test(text))?.[1] ?? null;
}

/** Scope of a `when` or `if` expression. */
export function conditionScope(path: Path): Scope | null {
  const text = joined(path);
  if (/^stages\.\d+\.when(\.(\d+\.)?if)?$/.test(text)) return "run";
  if (/^jobs\.[^.]+\.when(\.(\d+\.)?if)?$/.test(text)) return "needs";
  if (/^(jobs\.[^.]+\.)?steps\.\d+(\.(parallel|steps)\.\d+)*\.when(\.(\d+\.)?if)?$/.test(text)) return "step";
  return null;
}

/** One expression that gives a list or a mapping: the values of a matrix. */
export function isListExpression(path: Path): boolean {
  return /^jobs\.[^.]+\.matrix(\.[^.]+)?$/.test(joined(path));
}

/** One expression that gives a number. */
export function isNumberExpression(path: Path): boolean {
  return /^(defaults|jobs\.[^.]+)\.priority$/.test(joined(path));
}

/** The probe of a service, not a job or service of that name. */
export function isProbe(path: Path): boolean {
  return /^(jobs\.[^.]+\.)?services\.[^.]+\.ready$/.test(joined(path));
}

export function isScript(path: Path): boolean {
  return /^(jobs\.[^.]+\.)?steps\.\d+(\.(parallel|steps)\.\d+)*(\.run)?$/.test(joined(path));
}

/** Maps and lists whose values are text to the author, so that 22.10 stays 22.10. */
export function isText(path: Path): boolean {
  return isEnv(path) || isRunner(path) || isMatrix(path) || isTriggerInputs(path);
}

/** Values of a matrix, and those that combinations of it must have. */
function isMatrix(path: Path): boolean {
  const text = joined(path);
  return (
    /^jobs\.[^.]+\.matrix\.[^.]+(\.\d+)?$/.test(text) || /\.(needs\.\d+|when(\.\d+)?)\.matrix$/.test(text)
  );
}

/** The labels of a job. */
export function isRunner(path: Path): boolean {
  return /^(defaults\.|jobs\.[^.]+\.)runner$/.test(joined(path));
}

export function isEnv(path: Path): boolean {
  const text = joined(path);
  return /^((defaults\.|(jobs\.[^.]+\.)?(services\.[^.]+\.|steps\.\d+\.((parallel|steps)\.\d+\.)*)?)env)$/.test(
    text,
  );
}

/** Beside the `uses` of a step or job. */
export function isWith(path: Path): boolean {
  return /^(jobs\.[^.]+|(jobs\.[^.]+\.)?steps\.\d+(\.steps\.\d+)*)\.with$/.test(joined(path));
}

/** What a job gives the pipeline that it starts. */
export function isTriggerInputs(path: Path): boolean {
  return path.length === 4 && path[0] === "jobs" && path[2] === "trigger" && path[3] === "inputs";
}

/** A list of secrets, or a mapping. */
export function isSecrets(path: Path): boolean {
  const text = joined(path);
  return /^(jobs\.[^.]+\.)?(services\.[^.]+\.|steps\.\d+\.((parallel|steps)\.\d+\.)*)?secrets$/.test(text);
}

/** Identity tokens of a job, or of the only one. */
export function isIdToken(path: Path): boolean {
  const ofJob = path.length === 3 && path[0] === "jobs" && path[2] === "id_token";
  return ofJob || (path.length === 1 && path[0] === "id_token");
}

/** Keys never hold a dot where it matters (ids, variables); others are made harmless. */
function joined(path: Path): string {
  let text = texts.get(path);
  if (text === undefined) {
    text = path.map((part) => String(part).replaceAll(".", "_")).join(".");
    texts.set(path, text);
  }
  return text;
}
/** Each check asks what the same path is, of every value of the file. */
const texts = new WeakMap<Path, string>();

/** `job "unit", step 2` for messages. */
export function placeName(path: Path): string {
  const [first, second] = path;
  if (first === "jobs" && path.length > 1) {
    const step = path[2] === "steps" && path.length > 3 ? `, ${stepName(path.slice(3))}` : "";
    const service = path[2] === "services" && path.length > 3 ? `, service "${path[3]}"` : "";
    return `job "${second}"${step}${service}`;
  }
  if (first === "steps" && path.length > 1) return stepName(path.slice(1));
  if (path.length > 3 && isInputs(path.slice(0, 3))) return `input "${path[3]}"`;
  if (first === "stages" && path.length > 1) return `stage ${Number(second) + 1}`;
  return first === undefined ? "the file" : `"${path.join(".")}"`;
}

/** `step 2`, or `step 2, parallel step 1`. */
function stepName([entry, key, inner]: Path): string {
  const words = key === "parallel" ? "parallel step" : "template step";
  const isInner = (key === "parallel" || key === "steps") && inner !== undefined;
  const within = isInner ? `, ${words} ${Number(inner) + 1}` : "";
  return `step ${Number(entry) + 1}${within}`;
}
