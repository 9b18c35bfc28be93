/** Steps of Woodpecker. */
import type { Span } from "../../source.ts";
import type { TreeNode } from "../../tree.ts";
import { plainTitle } from "../names.ts";
import { child, entries, isTrue, items, textOfNode, texts } from "../nodes.ts";
import { present, type PlainMap } from "../plain.ts";
import { openSection, type Section } from "../trace.ts";
import { advice } from "./advice.ts";
import { environmentOf, imageOf, type Job } from "./containers.ts";
import { lostStep } from "./lost-step.ts";
import { splitSubstitutions } from "./substitution.ts";
import { translateScript } from "./texts.ts";
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

/** undefined where all steps run one after another anyway. Once a step has `depends_on`, all wait for nothing else. */
export function firstParallel(steps: readonly NamedNode[]): NamedNode | undefined {
  const first = steps.find(({ node }) => child(node, "depends_on") !== undefined);
  if (first === undefined) return undefined;
  const byName = new Map(steps.map((step) => [step.name, step]));
  const depths = new Map<NamedNode, number>();
  // The longest way to each step; in the order of `inOrder`, what it waits for comes before it.
  for (const step of inOrder(steps)) {
    const before = texts(child(step.node, "depends_on")).flatMap((name) => byName.get(name) ?? []);
    depths.set(step, 1 + Math.max(0, ...before.map((each) => depths.get(each) ?? 0)));
  }
  return Math.max(...depths.values()) < steps.length ? first : undefined;
}

/** As it runs here; what cannot run becomes a step that fails. */
export function convertStep({ name, node, span }: NamedNode, job: Job, index: number): PlainMap {
  const section = openSection(node, "steps.*", { trace: job.trace, at: ["jobs", job.id, "steps", index] });
  section.take("name");
  section.take("depends_on");
  const { when } = convertWhen(section);
  const commands = texts(section.take("commands"));
  const isDetached = isTrue(section.take("detach"));
  const kept = { when, allow_failure: mayFail(section) };
  if (commands.length === 0 || isDetached) {
    for (const key of ["image", "pull", "environment", "secrets", "directory", "entrypoint", "settings"])
      section.take(key);
    section.finish(advice);
    return lostStep({ name, span, section, isDetached, kept });
  }
  const image = imageOf(section, job);
  const { env, secrets } = environmentOf(section, job);
  const workdir = workdirOf(section);
  if (section.take("entrypoint") !== undefined)
    section.note("entrypoint", {
      message: "steps run in a shell",
      suggestion: "use shell: none with #! and the program",
    });
  section.finish(advice);
  const { run, problems } = translateScript(commands.join("\n"));
  for (const { message, suggestion } of problems) section.note("commands", { message, suggestion });
  const script = commands.length > 1 ? `${run}\n` : run;
  return present({ name: plainTitle(name), ...kept, image, workdir, env, secrets, run: script });
}

function mayFail(section: Section): true | null {
  const failure = textOfNode(section.take("failure"));
  if (failure !== null && failure !== "ignore" && failure !== "fail")
    section.note("failure", {
      message: `${failure} has no counterpart`,
    });
  return failure === "ignore" ? true : null;
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
