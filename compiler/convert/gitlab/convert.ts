/** A `.gitlab-ci.yml` as a pipeline file. */
import type { MapNode, TreeNode } from "../../tree.ts";
import { createIds, plainTitle, type Ids } from "../names.ts";
import { child, items, textOfNode, texts } from "../nodes.ts";
import { present, type Plain, type PlainMap } from "../plain.ts";
import { noteUnset } from "../shell-variables.ts";
import { openSection, type Section, type Trace } from "../trace.ts";
import { convertVariables, writtenVariables } from "./env.ts";
import type { GitlabFile, GitlabJob } from "./file.ts";
import { convertJob, globalKeys, isJob } from "./jobs.ts";
import { createResolver, type Resolver } from "./resolve.ts";
import { conditionsOf } from "./rules.ts";
import { translateVariableText, type VariableScope } from "./variables.ts";

const usualStages = [".pre", "build", "test", "deploy", ".post"];

export function convertGitlab(root: MapNode, trace: Trace): PlainMap {
  const section = openSection(root, "", { trace, at: [] });
  const resolver = createResolver(root, trace);
  const ids = createIds();
  const jobs = jobsOf(root, { trace, resolver, ids });
  const variables = section.take("variables");
  const scope: VariableScope = {
    known: new Map(writtenVariables(variables)),
    matrix: new Set(),
    unknown: new Set(),
  };
  const stages = stagesOf(section.take("stages"), jobs);
  const stageIds = createIds();
  for (const stage of stages) stageIds.of(stage);
  const file: GitlabFile = {
    trace,
    ids,
    resolver,
    jobs,
    stageIds,
    stageIndex: ({ stage }) => stages.indexOf(stage),
    variables: scope.known,
    unset: new Set(),
  };
  noteIncludes(section);
  if (jobs.length === 0) section.note("jobs", { message: "there is no job in this file" });
  const workflow = convertWorkflow(section, scope);
  const env = convertVariables(variables, scope, { ...section, at: ["env"] });
  const converted = Object.fromEntries(jobs.map((job) => [ids.of(job.name), convertJob(job, file)]));
  noteUnset(file.unset, section);
  finish(section, root);
  const used = stages.filter((stage) => jobs.some((job) => job.stage === stage));
  return {
    ...present({
      name: workflow.name,
      env,
      stages: used.map((stage) => stageOf(stage, workflow.when, stageIds)),
    }),
    jobs: converted,
  };
}

/** What all stages have in common: whether the pipeline runs at all. */
function convertWorkflow(outer: Section, scope: VariableScope): { when: Plain; name: string | null } {
  const section = openSection(outer.take("workflow"), "workflow", { trace: outer.trace, at: ["stages"] });
  const { when } = conditionsOf({ section, scope });
  const name = nameOf(textOfNode(section.take("name")), scope);
  section.finish({
    auto_cancel: [
      "a newer run does not cancel an older one by itself",
      "write concurrency: { group: …, cancel_running: true } at the top",
    ],
  });
  return { when, name };
}

function nameOf(name: string | null, scope: VariableScope): string | null {
  if (name === null || name.includes("$")) return null;
  return plainTitle(translateVariableText(name, scope)) || null;
}

function stageOf(stage: string, when: Plain, ids: Ids): Plain {
  const name = ids.of(stage);
  const mapping = present({ name, title: name === stage ? null : plainTitle(stage), when });
  return Object.keys(mapping).length === 1 ? name : mapping;
}

function jobsOf(
  root: MapNode,
  { trace, resolver, ids }: { trace: Trace; resolver: Resolver; ids: Ids },
): GitlabJob[] {
  const jobs: GitlabJob[] = [];
  for (const entry of root.entries.values()) {
    const { key } = entry;
    if (!isJob(key, entry)) continue;
    const node = resolver.job(key);
    const section = openSection({ ...node, span: entry.keySpan }, "jobs.*", {
      trace,
      at: ["jobs", ids.of(key)],
    });
    jobs.push({ name: key, node, section, stage: textOfNode(child(node, "stage")) ?? "test" });
  }
  return jobs;
}

/** Those of the file in its order; ones that only jobs name come last. */
function stagesOf(node: TreeNode | undefined, jobs: readonly GitlabJob[]): string[] {
  const listed =
    node === undefined
      ? usualStages
      : [".pre", ...texts(node).filter((stage) => !stage.startsWith(".p")), ".post"];
  const unlisted = jobs.map(({ stage }) => stage).filter((stage) => !listed.includes(stage));
  return [...new Set([...listed.slice(0, -1), ...unlisted, ".post"])].slice(0, 50);
}

function noteIncludes(section: Section): void {
  for (const include of items(section.take("include"))) {
    const what =
      ["local", "file", "remote", "template", "component", "project"]
        .map((key) => textOfNode(child(include, key)))
        .find((each) => each !== null) ??
      textOfNode(include) ??
      "";
    section.trace.note(include.span, [], {
      construct: "include",
      message: `${what} is not read`,
      suggestion:
        "put what is in it into this file and convert once more; steps and jobs that several pipelines share can be a template (docs/pipelines/templates.md)",
    });
  }
}

function finish(section: Section, root: MapNode): void {
  for (const key of ["image", "services", "before_script", "after_script", "cache", "default"])
    section.take(key);
  for (const entry of root.entries.values())
    if (entry.key.startsWith(".") || isJob(entry.key, entry)) section.take(entry.key);
  const known = Object.fromEntries(
    [...globalKeys].map((key) => [key, [`${key} at the top has no counterpart`] as const]),
  );
  section.finish(known);
}
