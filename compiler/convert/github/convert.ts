/** A workflow of GitHub Actions as a pipeline file. */
import { defaultJobPermissions } from "@forgeline/schemas/pipeline-file/file-permissions.ts";
import type { MapNode, TreeNode } from "../../tree.ts";
import { attempt } from "../cannot.ts";
import { createIds, title } from "../names.ts";
import { child, entries, items, textOfNode } from "../nodes.ts";
import { present, shortOn, type Plain, type PlainMap } from "../plain.ts";
import { openSection, type Trace } from "../trace.ts";
import { calledWorkflow, outputsRead } from "./call.ts";
import { convertConcurrency } from "./concurrency.ts";
import { convertEnv, writtenEnv } from "./env.ts";
import type { FileWork } from "./job-work.ts";
import { convertJob } from "./jobs.ts";
import { convertPermissions } from "./permissions.ts";
import type { Known } from "./known.ts";
import { translateTemplate } from "./texts.ts";
import { convertTriggers } from "./triggers.ts";

export function convertGithub(root: MapNode, trace: Trace): PlainMap {
  const section = openSection(root, "", { trace, at: [] });
  const { on, inputs } = convertTriggers(section.take("on"), trace);
  const known: Known = { matrix: new Map(), needs: new Map(), steps: new Map(), inputs, env: new Map() };
  const { env, secrets } = convertEnv(section.take("env"), known, { ...section, at: ["env"] });
  const run = openSection(child(section.take("defaults"), "run"), "defaults.run", { trace, at: [] });
  const file: FileWork = {
    trace,
    ids: createIds(),
    inputs,
    env: new Map(writtenEnv(root.entries.get("env")?.value)),
    defaults: { shell: textOfNode(run.take("shell")), workdir: textOfNode(run.take("working-directory")) },
    outputs: new Map(),
    withMatrix: new Set(),
    uploads: new Map(),
    toolsSeen: new Set(),
  };
  run.finish({});
  const name = textOfNode(section.take("name"));
  const result: PlainMap = {
    name: name === null ? null : title(name),
    on,
    concurrency: convertConcurrency(section.take("concurrency"), {
      section: { ...section, at: ["concurrency"] },
      known: { ...known, env: file.env },
    }),
    env,
  };
  const permissions = convertPermissions(section);
  const jobs = convertJobs(section.take("jobs"), file);
  const isUsual = permissions?.join() === defaultJobPermissions.join();
  result.defaults = {
    ...(permissions && !isUsual ? { permissions } : {}),
    ...(Object.values(jobs).some(hasTheirTimeout) ? { timeout: theirTimeout } : {}),
  };
  result.jobs = jobs;
  for (const job of Object.values(result.jobs) as PlainMap[])
    if (secrets.length > 0 && job.trigger === undefined)
      job.secrets = [...secrets, ...((job.secrets ?? []) as PlainMap[])];
  section.finish({ "run-name": ["a run is named after its commit"] });
  return { ...present(result), on: shortOn(on) };
}

/** How long a job may run there where the file says nothing. */
const theirTimeout = "6h";

function hasTheirTimeout(job: Plain): boolean {
  const { timeout, trigger } = job as PlainMap;
  return timeout === undefined && trigger === undefined;
}

function convertJobs(node: TreeNode | undefined, file: FileWork): PlainMap {
  const jobs = entries(node);
  for (const { key } of jobs) file.ids.of(key);
  file.uploads = uploadsOf(node);
  const withMatrix = jobs.filter(({ value }) => child(child(value, "strategy"), "matrix") !== undefined);
  file.withMatrix = new Set(withMatrix.map(({ key }) => key));
  const result: PlainMap = {};
  for (const job of jobs) {
    file.outputs.set(
      job.key,
      calledWorkflow(job.value) === null
        ? declaredOutputs(job.value)
        : outputsRead(job.key, file.trace.source.text),
    );
  }
  for (const job of jobs) result[file.ids.of(job.key)] = convertJob(job, file);
  return result;
}

/** Those whose steps are carried over: an action that is left out has no outputs. */
function declaredOutputs(job: TreeNode): Set<string> {
  const scripts = items(child(job, "steps")).filter((step) => child(step, "run") !== undefined);
  const ids = new Map(scripts.flatMap((step) => textOfNode(child(step, "id")) ?? []).map((id) => [id, id]));
  const known: Known = { matrix: null, needs: anyNeed, steps: ids, inputs: new Map(), env: new Map() };
  const kept = entries(child(job, "outputs")).filter(
    ({ value }) => "value" in attempt(() => translateTemplate(textOfNode(value) ?? "", known)),
  );
  return new Set(kept.map(({ key }) => key));
}
const anyNeed: Known["needs"] = new Map();

/** Jobs by the names of the artifacts that they upload. */
function uploadsOf(node: TreeNode | undefined): Map<string, string[]> {
  const uploads = new Map<string, string[]>();
  for (const { key, value } of entries(node))
    for (const step of items(child(value, "steps"))) {
      if (!textOfNode(child(step, "uses"))?.startsWith("actions/upload-artifact")) continue;
      const name = textOfNode(child(child(step, "with"), "name")) ?? "artifact";
      uploads.set(name, [...(uploads.get(name) ?? []), key]);
    }
  return uploads;
}
