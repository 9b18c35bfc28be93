/** A `bitbucket-pipelines.yml` as a pipeline file: each step is a job, each of its pipelines a chain of jobs with a condition. */
import type { MapNode, TreeNode } from "../../tree.ts";
import { createIds, plainTitle } from "../names.ts";
import { child, entries, items, textOfNode, texts } from "../nodes.ts";
import { present, shortOn, type Plain, type PlainMap } from "../plain.ts";
import { noteUnset } from "../shell-variables.ts";
import { openSection, type Section, type Trace } from "../trace.ts";
import { textLiteral } from "../typed.ts";
import { minutes } from "../values.ts";
import { convertStep, type BitbucketFile, type Pipeline } from "./steps.ts";

export function convertBitbucket(root: MapNode, trace: Trace): PlainMap {
  const section = openSection(root, "", { trace, at: [] });
  const options = openSection(section.take("options"), "options", { trace, at: [] });
  const definitions = section.take("definitions");
  const image = section.take("image");
  const limit = textOfNode(options.take("max-time"));
  const clone = section.take("clone");
  const file: BitbucketFile = {
    trace,
    ids: createIds(),
    jobs: {},
    image,
    // How long a step may run there where the file says nothing.
    timeout: limit === null ? "2h" : minutes(limit),
    clone,
    services: child(definitions, "services"),
    caches: child(definitions, "caches"),
    unset: new Set(),
  };
  options.finish({
    docker: ["jobs have no Docker", "build images with kaniko or buildah"],
    size: ["a step's size is not carried over", "write resources: { memory: … }"],
    runtime: [""],
  });
  const pipelines = openSection(section.take("pipelines"), "pipelines", { trace, at: [] });
  const found = pipelinesOf(pipelines);
  for (const pipeline of found) convertPipeline(pipeline, file);
  noteUnset(file.unset, section);
  section.take("definitions");
  section.finish({ export: ["pipelines are not shared with other repositories"] });
  return { on: onOf(found), jobs: file.jobs };
}

/** What starts each of them. Patterns of Bitbucket are globs, with the same `*` and `**`. */
function pipelinesOf(section: Section): Pipeline[] {
  const result: Pipeline[] = [];
  const fallback = section.take("default");
  const branches = entries(section.take("branches"));
  const add = (pipeline: Omit<Pipeline, "section">) => result.push({ ...pipeline, section });
  const others = branches.flatMap(({ key }) => globs(key)).map((glob) => `!${glob}`);
  if (fallback !== undefined)
    add({ name: "default", node: fallback, when: present({ event: "push", branch: others }), event: "push" });
  for (const { key, value } of branches)
    add({ name: key, node: value, when: { event: "push", branch: globs(key) }, event: "push" });
  for (const { key, value } of entries(section.take("tags")))
    add({ name: key, node: value, when: { event: "tag", tag: globs(key) }, event: "tag" });
  const requests = entries(section.take("pull-requests"));
  if (requests.length > 0)
    section.note("pull-requests", {
      message: `merge requests do not start runs yet, so the pipelines for ${requests.map(({ key }) => key).join(", ")} are left out`,
      suggestion: "name branches whose pushes are to do the same",
    });
  for (const { key, value } of entries(section.take("custom")))
    add({
      name: key,
      node: value,
      when: { event: ["manual", "api"], if: `inputs.pipeline == ${textLiteral(key).text}` },
      event: "manual",
    });
  section.finish({});
  return result;
}

/** `{a,b}` is several patterns. */
function globs(pattern: string): string[] {
  const braces = /^(.*)\{([^{}]*)\}(.*)$/.exec(pattern);
  if (!braces) return [pattern];
  return (braces[2] ?? "")
    .split(",")
    .slice(0, 50)
    .map((part) => `${braces[1] ?? ""}${part.trim()}${braces[3] ?? ""}`);
}

function onOf(pipelines: readonly Pipeline[]): Plain {
  const on: PlainMap = {};
  if (pipelines.some(({ event }) => event === "push")) on.push = null;
  if (pipelines.some(({ event }) => event === "tag")) on.tag = null;
  const custom = pipelines.filter(({ event }) => event === "manual");
  if (custom.length > 0) {
    const options = custom.map(({ name }) => name.slice(0, 200));
    on.manual = {
      inputs: {
        pipeline: {
          type: "choice",
          options,
          default: options[0] ?? "",
          description: "Which pipeline to run",
        },
        ...inputsOf(custom),
      },
    };
    on.api = null;
  }
  return Object.keys(on).length > 0 ? shortOn(on) : ["manual", "api"];
}

function inputsOf(custom: readonly Pipeline[]): PlainMap {
  const inputs: PlainMap = {};
  for (const { node } of custom)
    for (const variable of items(child(items(node)[0], "variables")).slice(0, 20)) {
      const name = textOfNode(child(variable, "name")) ?? "";
      if (!/^[A-Za-z_]\w{0,62}$/.test(name) || name === "pipeline" || Object.keys(inputs).length >= 24)
        continue;
      const options = texts(child(variable, "allowed-values"));
      inputs[name] = present({
        type: options.length > 0 ? "choice" : "string",
        options,
        default: textOfNode(child(variable, "default")),
        description: textOfNode(child(variable, "description")),
      });
    }
  return inputs;
}

/** Each part waits for all of the one before. */
function convertPipeline(pipeline: Pipeline, file: BitbucketFile): void {
  const variables = items(pipeline.node)
    .flatMap((item) => items(child(item, "variables")))
    .map((variable) => textOfNode(child(variable, "name")) ?? "");
  let before: string[] = [];
  for (const item of items(pipeline.node)) {
    const parallel = child(item, "parallel");
    const stage = child(item, "stage");
    const group: readonly TreeNode[] =
      parallel === undefined ? [item] : items(parallel.kind === "map" ? child(parallel, "steps") : parallel);
    const chain = stage === undefined ? [group] : items(child(stage, "steps")).map((step) => [step]);
    if (stage !== undefined) noteStage(stage, pipeline);
    for (const steps of chain) {
      const made = steps.map((step) =>
        convertStep(
          child(step, "step"),
          { pipeline, before, variables, isManualStage: textOfNode(child(stage, "trigger")) === "manual" },
          file,
        ),
      );
      const ids = made.filter((id) => id !== null);
      if (ids.length > 0) before = ids;
    }
  }
}

function noteStage(stage: TreeNode, { section }: Pipeline): void {
  for (const { key, keySpan } of entries(stage))
    if (["condition", "deployment"].includes(key))
      section.trace.note(keySpan, [], {
        construct: "pipelines.*.stage",
        message: `${key} of the stage ${plainTitle(textOfNode(child(stage, "name")) ?? "")} is not carried over`,
        suggestion: "write it at each of its jobs",
      });
}
