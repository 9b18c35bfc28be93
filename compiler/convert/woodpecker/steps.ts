/** Steps and services of Woodpecker. */
import type { Span } from "../../source.ts";
import type { TreeNode } from "../../tree.ts";
import { attempt } from "../cannot.ts";
import { isVariable, slug, plainTitle } from "../names.ts";
import { child, entries, isTrue, items, textOfNode, texts } from "../nodes.ts";
import { present, type Plain, type PlainMap } from "../plain.ts";
import { openSection, type Advice, type Section, type Trace } from "../trace.ts";
import { splitSubstitutions } from "./substitution.ts";
import { translateScript, translateValue } from "./texts.ts";
import { convertWhen } from "./when.ts";

export interface NamedNode {
  name: string;
  node: TreeNode;
  span: Span;
}

/** Steps are a list with names or a mapping by name. */
export function namedNodes(node: TreeNode | undefined): NamedNode[] {
  if (node?.kind === "map")
    return entries(node).map(({ key, value, keySpan }) => ({ name: key, node: value, span: keySpan }));
  return items(node).map((item, i) => ({
    name: textOfNode(child(item, "name")) ?? `step-${i + 1}`,
    node: item,
    span: item.span,
  }));
}

/** What each waits for comes before it, and otherwise they keep their order, since the steps of a job run one after another. */
export function inOrder(steps: readonly NamedNode[]): NamedNode[] {
  const byName = new Map(steps.map((step) => [step.name, step]));
  const done = new Set<NamedNode>();
  const open = new Set<NamedNode>();
  const visit = (step: NamedNode): void => {
    if (done.has(step) || open.has(step)) return;
    open.add(step);
    for (const name of texts(child(step.node, "depends_on"))) {
      const before = byName.get(name);
      if (before) visit(before);
    }
    done.add(step);
  };
  for (const step of steps) visit(step);
  return [...done];
}

export interface Job {
  id: string;
  trace: Trace;
  matrix: ReadonlySet<string>;
}

const advice: Advice = {
  settings: ["", ""],
  volumes: [
    "containers have no volumes besides the workspace",
    "keep files in the workspace, or in the image",
  ],
  privileged: [
    "privileged jobs need the consent of an administrator",
    "build images with kaniko or buildah, or write privileged: true into the job",
  ],
  backend_options: [
    "options of the backend are not carried over",
    "resources has cpu, memory and shm of a job",
  ],
  group: ["", ""],
  ports: ["", ""],
  dns: ["names are looked up as the runner does"],
  dns_search: ["names are looked up as the runner does"],
  devices: ["jobs have no devices of the machine"],
  network_mode: ["jobs have a network of their own"],
  tty: [""],
  extra_hosts: ["names are looked up as the runner does"],
};

/** null: nothing of it can run here, which is noted. */
export function convertStep({ name, node, span }: NamedNode, job: Job, index: number): PlainMap | null {
  const section = openSection(node, "steps.*", { trace: job.trace, at: ["jobs", job.id, "steps", index] });
  section.take("name");
  section.take("depends_on");
  const { when } = convertWhen(section);
  const image = imageOf(section, job);
  const { env, secrets } = environmentOf(section, job);
  const commands = texts(section.take("commands"));
  const isDetached = isTrue(section.take("detach"));
  const failure = textOfNode(section.take("failure"));
  const workdir = workdirOf(section);
  if (section.take("entrypoint") !== undefined)
    section.note("entrypoint", {
      message: "steps run in a shell",
      suggestion: "use shell: none with #! and the program",
    });
  section.finish(advice);
  if (commands.length === 0 || isDetached) {
    noteLost({ span, section, job, isDetached });
    return null;
  }
  const { run: script, problems } = translateScript(commands.join("\n"));
  for (const { message, suggestion } of problems) section.note("commands", { message, suggestion });
  return present({
    name: plainTitle(name),
    when,
    image,
    workdir,
    env,
    secrets,
    run: commands.length > 1 ? `${script}\n` : script,
    allow_failure: failure === "ignore" ? true : null,
  });
}

function workdirOf(section: Section): string | null {
  const written = textOfNode(section.take("directory"));
  if (written === null) return null;
  if (splitSubstitutions(written).some(({ kind }) => kind === "variable")) {
    section.note("directory", {
      message: "the directory is chosen by a variable",
      suggestion: "begin the script with cd",
    });
    return null;
  }
  return written.replace(/^\.\//, "").replace(/\/$/, "") || null;
}

function noteLost({
  span,
  section,
  job,
  isDetached,
}: {
  span: Span;
  section: Section;
  job: Job;
  isDetached: boolean;
}): void {
  const image = textOfNode(child(section.node, "image")) ?? "";
  job.trace.note(span, section.at, {
    construct: isDetached ? "steps.*.detach" : "steps.*.settings",
    message: isDetached ? "a step cannot run beside those after it" : `the plugin ${image} is not run`,
    suggestion: isDetached
      ? "write it as a service of the job"
      : "write what it does as a step; its settings that are secrets go to secrets",
  });
}

function imageOf(section: Section, { matrix }: Job): Plain {
  const written = textOfNode(section.take("image"));
  const isPulled = isTrue(section.take("pull"));
  if (written === null) return null;
  const name = attempt(() => translateValue(written, matrix));
  if ("problem" in name)
    section.note("image", { message: name.problem.message, suggestion: name.problem.suggestion });
  if ("problem" in name) return null;
  return isPulled ? { name: name.value, pull: "always" } : name.value;
}

function environmentOf(section: Section, { matrix }: Job): { env: PlainMap; secrets: Plain[] } {
  const env: PlainMap = {};
  const secrets: Plain[] = [];
  const node = section.take("environment");
  const pairs =
    node?.kind === "seq"
      ? texts(node).map((text) => ({
          key: text.split("=")[0] ?? "",
          text: text.split("=").slice(1).join("="),
          secret: null,
        }))
      : entries(node).map(({ key, value }) => ({
          key,
          text: textOfNode(value) ?? "",
          secret: textOfNode(child(value, "from_secret")),
        }));
  for (const { key, text, secret } of pairs) {
    const value = attempt(() => translateValue(text, matrix));
    if (!isVariable(key))
      section.note("environment", { message: `${key}: names that begin with CI_ belong to the server` });
    else if (secret !== null) secrets.push(secretOf(secret, key));
    else if ("problem" in value)
      section.note("environment", {
        message: `${key}: ${value.problem.message}`,
        suggestion: value.problem.suggestion,
      });
    else env[key] = value.value;
  }
  for (const item of items(section.take("secrets"))) {
    const source = textOfNode(item) ?? textOfNode(child(item, "source")) ?? "";
    const target = textOfNode(child(item, "target")) ?? source;
    if (isVariable(source)) secrets.push(secretOf(source, target.toUpperCase()));
  }
  return { env, secrets };
}

function secretOf(name: string, variable: string): Plain {
  const secret = name.replace(/[^A-Za-z0-9_]/g, "_").replace(/^(?=[0-9])/, "_");
  return secret === variable ? secret : { name: secret, env: variable };
}

export function convertServices(node: TreeNode | undefined, job: Job): PlainMap {
  const services: PlainMap = {};
  for (const { name, node: item, span } of namedNodes(node).slice(0, 10)) {
    const id = slug(name);
    const section = openSection(item, "services.*", {
      trace: job.trace,
      at: ["jobs", job.id, "services", id],
    });
    section.take("name");
    const image = imageOf(section, job);
    const { env, secrets } = environmentOf(section, job);
    const commands = texts(section.take("commands"));
    if (section.take("when") !== undefined)
      job.trace.note(span, section.at, {
        construct: "services.*.when",
        message: "a service runs whenever its job does",
      });
    if (secrets.length > 0)
      section.note("environment", {
        message: "services find secrets in files",
        suggestion: "name the secret with file under secrets of the service",
      });
    if (section.take("settings") !== undefined)
      section.note("settings", {
        message: "settings of plugins are not passed on",
        suggestion: "write them as env, PLUGIN_NAME for each",
      });
    section.finish(advice);
    if (image === null) continue;
    services[id] = present({
      image,
      env,
      command: commands.length > 0 ? ["sh", "-c", commands.join("\n")] : null,
    });
  }
  return services;
}
