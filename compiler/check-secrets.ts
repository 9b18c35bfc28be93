/** What the schemas cannot judge of secrets and identity tokens: names of variables, those of services, and runs that get none. */
import { listedSecrets } from "./build-secrets.ts";
import type { FileModel, ModelJob } from "./file-model.ts";
import { limits } from "./limits.ts";
import { isEnv } from "./path-kinds.ts";
import type { Path } from "./path.ts";
import type { Report } from "./report.ts";
import type { Span } from "./source.ts";
import { quote } from "./suggest.ts";
import { nodeAt, spanOfKey, type MapNode, type TreeNode } from "./tree.ts";

/** Shells refuse to set these, so their values would travel as arguments, which everybody on the machine can read. */
const readOnlyNames = new Set([
  "UID",
  "EUID",
  "GID",
  "EGID",
  "PPID",
  "SHELLOPTS",
  "BASHOPTS",
  "BASH_VERSINFO",
]);

interface Variable {
  name: string;
  span: Span;
  kind: "env" | "file";
}

/** One list of secrets, or mapping; of a service if its owner is one. */
export function checkSecretList(node: TreeNode, path: Path, { report }: { report: Report }): void {
  const variables = variablesOf(node);
  const seen = new Set<string>();
  for (const { name, span, kind } of variables) {
    checkVariable(
      { name, span },
      { report, what: "a secret", hint: "choose another variable, as { name: …, env: … }" },
    );
    if (seen.has(name))
      report.add("P111", span, { message: `the variable ${quote(name)} is given by two secrets` });
    seen.add(name);
    if (kind === "env" && path.at(-3) === "services")
      report.add("P401", span, {
        message: "services get secrets as files only",
        hint: "write { name: …, file: VARIABLE }; the variable then holds the path, as in POSTGRES_PASSWORD_FILE",
      });
  }
}

/** Variables that hold identity tokens; none may hold a secret of the job too. */
export function checkIdTokens(
  node: TreeNode,
  path: Path,
  { tree, report }: { tree: MapNode; report: Report },
): void {
  const variables = variablesOf(node);
  if (variables.length > limits.idTokens)
    report.add("P305", spanOfKey(tree, path), {
      message: `the job asks for ${variables.length} identity tokens; at most ${limits.idTokens} are allowed`,
    });
  const secrets = nodeAt(tree, [...path.slice(0, -1), "secrets"]);
  const taken = new Set(secrets ? variablesOf(secrets).map(({ name }) => name) : []);
  for (const { name, span } of variables) {
    checkVariable({ name, span }, { report, what: "an identity token", hint: "choose another variable" });
    if (taken.has(name))
      report.add("P111", span, {
        message: `the variable ${quote(name)} is given by a secret and an identity token`,
      });
  }
}

function checkVariable(
  { name, span }: Pick<Variable, "name" | "span">,
  { report, what, hint }: { report: Report; what: string; hint: string },
): void {
  if (name.startsWith("CI_"))
    report.add("P112", span, { message: `${quote(name)} is set by the server and cannot be changed`, hint });
  if (readOnlyNames.has(name))
    report.add("P401", span, {
      message: `${what} cannot be given as ${quote(name)}: shells do not allow to set it`,
      hint,
    });
}

function variablesOf(node: TreeNode): Variable[] {
  if (node.kind === "scalar") return [];
  if (node.kind === "map")
    return [...node.entries.values()].map(({ key, keySpan }) => ({ name: key, span: keySpan, kind: "env" }));
  return node.items.flatMap((item): Variable[] => {
    if (item.kind === "scalar") return [{ name: item.text, span: item.span, kind: "env" }];
    if (item.kind !== "map") return [];
    const file = variableAt(item, "file", "file");
    const env = variableAt(item, "env", "env") ?? (file ? null : variableAt(item, "name", "env"));
    return [env, file].filter((variable) => variable !== null);
  });
}

function variableAt(item: MapNode, key: string, kind: Variable["kind"]): Variable | null {
  const value = item.entries.get(key)?.value;
  return value?.kind === "scalar" ? { name: value.text, span: value.span, kind } : null;
}

/** What their runs are called. */
const eventsWithoutSecrets: Readonly<Record<string, string>> = {
  mirror_sync: "mirror_sync",
  fork_sync: "fork_sync",
  merge_request: "merge requests from forks",
};

/** Jobs that commits of another repository start and that cannot do without a secret, which such runs never get. */
export function warnRunsWithoutSecrets(model: FileModel, tree: MapNode, report: Report): void {
  const [found] = Object.entries(eventsWithoutSecrets).filter(([name]) => isTrigger(tree, name));
  if (found === undefined) return;
  const [, runs] = found;
  for (const job of model.jobs) {
    const stage = model.stages.find(({ name }) => name === job.stage)?.stage;
    const name = job.job.when === undefined && stage?.when === undefined ? requiredSecret(job) : undefined;
    if (name === undefined) continue;
    report.add("W905", spanOfKey(tree, [...job.path, "secrets"]), {
      message: `runs of ${runs} get no secrets, so the job would end without ${quote(name)}`,
      hint: "keep those runs out with `when`, or make the secret optional",
    });
  }
}

function isTrigger(tree: MapNode, event: string): boolean {
  const on = nodeAt(tree, ["on"]);
  if (on?.kind === "map") return on.entries.has(event);
  const names = on?.kind === "seq" ? on.items : on ? [on] : [];
  return names.some((name) => name.kind === "scalar" && name.text === event);
}

function requiredSecret({ job }: ModelJob): string | undefined {
  return listedSecrets(job.secrets).find(({ optional }) => !optional)?.name;
}

/** `secrets: { from_secret: NAME }`: at Woodpecker that is a value of `environment`, here it is a variable of this name. */
export function warnSecretWords(node: TreeNode, path: Path, report: Report): void {
  if (node.kind === "seq")
    return node.items.forEach((item, i) => warnSecretWords(item, [...path, i], report));
  if (node.kind !== "map" || isEnv(path)) return;
  const entry = path.at(-1) === "secrets" ? node.entries.get("from_secret") : undefined;
  if (entry) {
    const secret = entry.value.kind === "scalar" ? entry.value.text : "NAME";
    report.add("W911", entry.keySpan, {
      message: `this gives the secret ${quote(secret)} in a variable that is called from_secret`,
      hint: `write secrets: [${secret}], or { VARIABLE: ${secret} } for another name of the variable`,
    });
  }
  for (const { key, value } of node.entries.values()) warnSecretWords(value, [...path, key], report);
}
