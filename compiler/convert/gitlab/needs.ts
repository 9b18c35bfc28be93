/** Which jobs a job of GitLab waits for, and whose artifacts it gets. */
import type { TreeNode } from "../../tree.ts";
import { child, entries, isTrue, items, textOfNode, texts } from "../nodes.ts";
import type { Plain, PlainMap } from "../plain.ts";
import type { Section } from "../trace.ts";
import type { GitlabFile, GitlabJob } from "./file.ts";

/** null: the order of stages applies. */
export function convertNeeds(job: GitlabJob, file: GitlabFile): Plain {
  const { section } = job;
  const needs = section.take("needs");
  const dependencies = section.take("dependencies");
  if (needs !== undefined) return items(needs).flatMap((need) => needOf(need, { section, file, self: job }));
  const from = dependencies === undefined ? null : texts(dependencies);
  const earlier = file.jobs.filter((other) => file.stageIndex(other) < file.stageIndex(job));
  const givers = earlier.filter(
    (other) => hasArtifacts(other) && (from === null || from.includes(other.name)),
  );
  if (givers.length === 0) return null;
  // With `needs` the order of stages is not kept, so all jobs of earlier stages are named. One that does not run is no obstacle.
  return earlier.slice(0, 100).map((other): PlainMap => ({
    job: file.ids.of(other.name),
    optional: true,
    ...(givers.includes(other) ? { artifacts: true } : {}),
  }));
}

export function hasArtifacts(job: GitlabJob): boolean {
  const artifacts = job.node.entries.get("artifacts")?.value;
  return items(child(artifacts, "paths")).length > 0;
}

interface NeedContext {
  section: Section;
  file: GitlabFile;
  self: GitlabJob;
}

function needOf(need: TreeNode, { section, file, self }: NeedContext): Plain[] {
  const written = textOfNode(need) ?? textOfNode(child(need, "job")) ?? "";
  if (child(need, "project") !== undefined || child(need, "pipeline") !== undefined) {
    section.note("needs", {
      message: "jobs of other pipelines cannot be needed",
      suggestion: "fetch their artifacts with the API in a step",
    });
    return [];
  }
  const found =
    file.jobs.find(({ name }) => name === written) ??
    file.jobs.find(({ name }) => written.startsWith(`${name}: [`));
  const isLater = found !== undefined && file.stageIndex(found) > file.stageIndex(self);
  if (isLater) section.note("needs", { message: `the job ${written} is in a later stage` });
  if (isLater) return [];
  if (found === undefined || found.name === self.name) {
    const isOptional = isTrue(child(need, "optional"));
    if (!isOptional)
      section.note("needs", {
        message: `the job ${written} is not in this file`,
        suggestion: "convert the file that has it, and join them",
      });
    return [];
  }
  const matrix =
    found.name === written
      ? matrixOf(child(child(need, "parallel"), "matrix"))
      : listed(written.slice(found.name.length), found);
  const artifacts = textOfNode(child(need, "artifacts")) !== "false" && hasArtifacts(found);
  const optional = isTrue(child(need, "optional"));
  const id = file.ids.of(found.name);
  if (matrix === null && !artifacts && !optional) return [id];
  return [
    {
      job: id,
      ...(optional ? { optional } : {}),
      ...(matrix === null ? {} : { matrix }),
      ...(artifacts ? { artifacts } : {}),
    },
  ];
}

function matrixOf(node: TreeNode | undefined): PlainMap | null {
  const values = entries(items(node)[0]).map(({ key, value }) => [key, texts(value)] as const);
  const single = values
    .filter(([, list]) => list.length === 1)
    .map(([key, list]) => [key, list[0] ?? ""] as const);
  return single.length > 0 ? Object.fromEntries(single) : null;
}

/** `: [a, b]` names the values in the order of the matrix. */
function listed(text: string, { node }: GitlabJob): PlainMap | null {
  const values = /^: \[(.*)\]$/s.exec(text)?.[1]?.split(", ") ?? [];
  const names = entries(items(child(child(node, "parallel"), "matrix"))[0] ?? child(node, "parallel")).map(
    ({ key }) => key,
  );
  const pairs = names.slice(0, values.length).map((name, i) => [name, values[i] ?? ""] as const);
  return pairs.length > 0 ? Object.fromEntries(pairs) : null;
}
