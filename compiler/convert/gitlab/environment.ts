/** `environment` of a GitLab job: its name as ours can have it, its address, and what ours do not do. */
import type { TreeNode } from "../../tree.ts";
import { addKey } from "../add-key.ts";
import { attempt } from "../cannot.ts";
import { environmentName } from "../names.ts";
import { textOfNode } from "../nodes.ts";
import type { PlainMap } from "../plain.ts";
import { openSection, type Section } from "../trace.ts";
import { translateVariableText, type VariableScope } from "./variables.ts";

const advice = {
  on_stop: [
    "nothing takes an environment down by itself",
    "start the job that does it by hand, in a pipeline of its own with on: manual",
  ],
  auto_stop_in: [
    "an environment does not end by itself",
    "take it down in a pipeline of its own with on: schedule",
  ],
  deployment_tier: ["", ""],
  kubernetes: [
    "an environment knows no cluster",
    "give the steps that deploy the cluster's credentials with secrets",
  ],
} as const;

/** None for a job that takes it down, since each job with an environment counts as a deployment to it. */
export function addEnvironment(job: PlainMap, outer: Section, scope: VariableScope): void {
  const node = outer.take("environment");
  if (node === undefined) return;
  const section = openSection(node, "jobs.*.environment", { trace: outer.trace, at: outer.at });
  const written = textOfNode(node) ?? textOfNode(section.take("name")) ?? "";
  const url = addressOf(section.take("url"), section, scope);
  const action = textOfNode(section.take("action")) ?? "start";
  section.finish(advice);
  const name = attempt(() => translateVariableText(written, scope));
  if (action !== "start")
    section.note("action", {
      message:
        action === "stop"
          ? "a job with an environment counts as a deployment, so this one has none and finds none of its secrets"
          : "a job with an environment counts as a deployment, this one too",
      suggestion:
        action === "stop"
          ? "name the secrets that it needs in the settings of the repository"
          : "remove environment where the job needs nothing of it",
    });
  if (action === "stop") return;
  if ("problem" in name)
    return outer.note("environment", {
      message: `its name: ${name.problem.message}, so this job deploys nowhere`,
      suggestion: "write environment with a name",
    });
  const ours = environmentName(name.value);
  noteName(section, { given: name.value, ours });
  addKey(job, "environment", url === null ? ours : { name: ours, url });
}

function noteName(section: Section, { given, ours }: { given: string; ours: string }): void {
  if (given !== ours)
    section.note("name", {
      message: `an environment's name has no "/" and no spaces, so this one is ${ours} here`,
      suggestion: "create and protect it under this name",
    });
  if (/\$\{\{.*\bbranch\b/.test(ours))
    section.note("name", {
      message: 'a job of a branch with "/" in its name fails, since an environment cannot be called so',
      suggestion: "use branches without it, or a name that the run knows, such as pipeline.number",
    });
}

function addressOf(node: TreeNode | undefined, section: Section, scope: VariableScope): string | null {
  const written = textOfNode(node);
  if (written === null) return null;
  const url = attempt(() => translateVariableText(written, scope));
  if ("value" in url) return url.value;
  section.note("url", {
    message: url.problem.message,
    suggestion: "write url with what is known before the job, or with outputs of jobs that it needs",
  });
  return null;
}
