/** `trigger` of a GitLab job: a pipeline of another project, or one of this project in a file of its own. */
import type { TreeNode } from "../../tree.ts";
import { keysBesideTrigger } from "@forgeline/schemas/pipeline-file/file-trigger.ts";
import { attempt } from "../cannot.ts";
import { child, entries, items, textOfNode, texts } from "../nodes.ts";
import { present, type Plain, type PlainMap } from "../plain.ts";
import type { Section } from "../trace.ts";
import { translateVariableText, type VariableScope } from "./variables.ts";

interface Context {
  section: Section;
  scope: VariableScope;
}

/** null where nothing of ours is the same; that is noted. */
export function convertTrigger(node: TreeNode | undefined, context: Context): PlainMap | null {
  if (node === undefined) return null;
  const include = child(node, "include");
  const project = textOfNode(node) ?? textOfNode(child(node, "project"));
  const target = include === undefined ? ofProject(project, context) : ofFile(include, context);
  if (target === null) return null;
  const strategy = textOfNode(child(node, "strategy"));
  const ref = translated(textOfNode(child(node, "branch")), context);
  if (child(node, "forward") !== undefined)
    note(
      context,
      "variables of the run are not handed over",
      "declare inputs in the other file, and give them with inputs",
    );
  return present({
    ...target,
    ref,
    inputs: inputsOf(child(node, "inputs"), context),
    wait: strategy === null ? false : null,
  });
}

/** What is left of a job that no runner executes. */
export function besideTrigger(job: PlainMap, trigger: PlainMap, { section }: Context): PlainMap {
  const kept = Object.entries(job).filter(([key]) => keysBesideTrigger.includes(key));
  if (job.env && Object.keys(job.env).length > 0)
    section.note("variables", {
      message: "a job that starts a pipeline hands over inputs, and no variables",
      suggestion: "declare inputs in the other file, and give them with trigger.inputs",
    });
  const { retry, allow_failure: allowed, ...rest } = Object.fromEntries(kept) as PlainMap;
  const max =
    retry && typeof retry === "object" && !Array.isArray(retry) ? (retry["max"] ?? null) : (retry ?? null);
  return {
    ...rest,
    needs: withoutArtifacts(job.needs),
    trigger,
    retry: max,
    allow_failure: allowed ? true : null,
  };
}

/** There is no workspace to put them into. */
function withoutArtifacts(needs: Plain | undefined): Plain {
  if (!Array.isArray(needs)) return needs ?? null;
  return needs.map((need) => {
    if (need === null || typeof need !== "object" || Array.isArray(need)) return need;
    const { artifacts: _, ...rest } = need;
    return rest;
  });
}

function note({ section }: Context, message: string, suggestion: string): void {
  section.note("trigger", { message, suggestion });
}

function ofProject(project: string | null, context: Context): PlainMap | null {
  const repository = translated(project, context);
  if (repository === null) return null;
  if (/^[^/]+\/[^/]+$/.test(repository)) return { repository };
  note(
    context,
    `${project} is no repository as OWNER/NAME, so this job fails`,
    "write trigger: { repository: OWNER/NAME }",
  );
  return null;
}

/** One file of this project; those of others, and several at once, are not the same as anything here. */
function ofFile(include: TreeNode, context: Context): PlainMap | null {
  const [first, ...more] = items(include);
  const path = textOfNode(first) ?? textOfNode(child(first, "local"));
  if (path === null || more.length > 0) {
    const what = entries(first).some(({ key }) => key === "artifact")
      ? "a file that a job makes"
      : "several files, or a file of another project";
    note(
      context,
      `${what} cannot be started as a pipeline, so this job fails`,
      "write the pipeline as .forgeline/NAME.yml, and trigger: { pipeline: NAME }",
    );
    return null;
  }
  const name = (path.split("/").at(-1) ?? path).replace(/^\./, "").replace(/(\.gitlab-ci)?\.ya?ml$/, "");
  note(
    context,
    `${path} has to be a pipeline file here`,
    `convert it to .forgeline/${name}.yml, beside this one`,
  );
  return { pipeline: name };
}

function inputsOf(node: TreeNode | undefined, context: Context): PlainMap {
  return Object.fromEntries(
    entries(node).flatMap(({ key, value }) => {
      const [text] = texts(value);
      const given = translated(text ?? null, context);
      return given === null ? [] : [[key, given] as const];
    }),
  );
}

function translated(text: string | null, { section, scope }: Context): string | null {
  if (text === null) return null;
  const found = attempt(() => translateVariableText(text, scope));
  if ("value" in found) return found.value;
  section.note("trigger", { message: found.problem.message });
  return null;
}
