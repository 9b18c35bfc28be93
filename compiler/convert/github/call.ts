/** A job that calls a workflow of the same repository, as one that starts the pipeline that the workflow becomes. */
import { maxTriggerOutputs } from "@forgeline/schemas/pipeline-file/file-trigger.ts";
import type { TreeNode } from "../../tree.ts";
import { attempt } from "../cannot.ts";
import { child, entries, textOfNode } from "../nodes.ts";
import { present, type Plain, type PlainMap } from "../plain.ts";
import { stemOf } from "../systems.ts";
import type { JobWork } from "./job-work.ts";
import { translateTemplate } from "./texts.ts";

/** Path of the workflow; null where the job calls none, or one of another repository. */
export function calledWorkflow(job: TreeNode): string | null {
  const uses = textOfNode(child(job, "uses")) ?? "";
  return /^\.\/\.github\/workflows\/[^/@]+\.ya?ml$/.test(uses) ? uses.slice(2) : null;
}

/** Names of outputs of a job that the text reads anywhere: a caller does not list them. */
export function outputsRead(job: string, text: string): Set<string> {
  const found = text.matchAll(/\bneeds\.([A-Za-z_][A-Za-z0-9_-]*)\.outputs\.([A-Za-z_][A-Za-z0-9_-]{0,99})/g);
  const names = [...found].filter(([, name]) => name === job).map(([, , output]) => output ?? "");
  return new Set(names.slice(0, maxTriggerOutputs));
}

export function convertCall(path: string, work: JobWork): PlainMap {
  const { section, file, name } = work;
  section.take("uses");
  const pipeline = stemOf(path);
  section.note("uses", {
    message: `${path} has to be a pipeline file of its own here`,
    suggestion: `convert both with "forgeline convert --write", which makes .forgeline/${pipeline}.yml of it`,
  });
  const secrets = section.take("secrets");
  // Within one repository, all of its secrets are those of the other pipeline too.
  if (secrets !== undefined && textOfNode(secrets) !== "inherit")
    section.note("secrets", {
      message:
        "secrets are not handed over: the other pipeline has those of the repository, by their own names",
    });
  return present({
    pipeline,
    inputs: inputsOf(section.take("with"), work),
    outputs: [...(file.outputs.get(name) ?? [])],
  });
}

function inputsOf(node: TreeNode | undefined, { section, known }: JobWork): PlainMap {
  const inputs: PlainMap = {};
  for (const { key, value } of entries(node)) {
    const given = attempt((): Plain => {
      const text = textOfNode(value) ?? "";
      if (text.includes("${{")) return translateTemplate(text, { ...known, steps: new Map() });
      return value.kind === "scalar" ? value.value : text;
    });
    if ("problem" in given) section.note("with", { message: `${key}: ${given.problem.message}` });
    else if (given.value !== null) inputs[key] = given.value;
  }
  return inputs;
}
