/** What is wrong with the matrices of a file, and with what refers to them: `needs.matrix`, `when.matrix`. */
import { matrixNamePattern } from "@forgeline/schemas/pipeline-file/file-matrix.ts";
import type { FileModel, ModelJob } from "./file-model.ts";
import { atMost, limitHint } from "./held-limits.ts";
import { hasValues } from "./matrix.ts";
import type { Path } from "./path.ts";
import type { Report } from "./report.ts";
import { quote, suggestion } from "./suggest.ts";
import { nodeAt, spanOfKey, type MapNode, type TreeNode } from "./tree.ts";

export function checkMatrices(model: FileModel, tree: MapNode, report: Report): void {
  for (const job of model.jobs) {
    checkOwn(job, tree, report);
    checkNeeds(job, { model, tree }, report);
    checkConditions(job, tree, report);
  }
  checkStages(tree, report);
  const count = model.jobs.reduce((sum, { matrix }) => sum + (matrix?.combinations?.length ?? 1), 0);
  const limit = report.limits.jobs;
  if (count > limit.value && model.jobs.length <= limit.value) {
    const message = `with all combinations of their matrices there are ${count} jobs; ${atMost(limit)}`;
    report.add("P305", spanOfKey(tree, ["jobs"]), { message, hint: limitHint(limit) });
  }
}

function checkOwn({ key, path, job, matrix }: ModelJob, tree: MapNode, report: Report): void {
  if (matrix === null) {
    for (const name of ["max_parallel", "fail_fast"] as const) {
      if (job[name] === undefined) continue;
      const message = `${quote(name)} is only for jobs with a matrix`;
      report.add("P116", spanOfKey(tree, [...path, name]), { message });
    }
    return;
  }
  for (const name of matrix.names ?? []) {
    if (matrixNamePattern.test(name)) continue;
    const message = `${quote(name)} must be a name of letters, digits and _, not beginning with a digit`;
    report.add("P116", spanOfKey(tree, [...path, "matrix", name]), { message });
  }
  const at = spanOfKey(tree, [...path, "matrix"]);
  if (matrix.problem)
    report.add(matrix.problem.isTooLarge ? "P305" : "P116", at, {
      message: `job "${key}": ${matrix.problem.message}`,
      hint: matrix.problem.isTooLarge ? limitHint(report.limits.matrix_combinations) : null,
    });
  else if (matrix.combinations?.length === 0)
    report.add("P116", at, { message: `the matrix of job "${key}" has no combinations` });
  checkExcluded({ path, matrix }, tree, report);
}

/** A name that the matrix does not have would exclude nothing. */
function checkExcluded(
  { path, matrix }: Pick<ModelJob, "path" | "matrix">,
  tree: MapNode,
  report: Report,
): void {
  const source = matrix?.source;
  if (source === undefined || typeof source === "string") return;
  const names = source.values.map(({ name }) => name);
  const list = nodeAt(tree, [...path, "matrix", "exclude"]);
  if (list?.kind !== "seq") return;
  list.items.forEach((item, i) =>
    checkNames(
      item,
      { path: [...path, "matrix", "exclude", i], names, what: "the matrix" },
      { tree, report },
    ),
  );
}

function checkNeeds(
  job: ModelJob,
  { model, tree }: { model: FileModel; tree: MapNode },
  report: Report,
): void {
  for (const need of job.needs ?? []) {
    const target = model.jobs.find((other) => other.key === need.job);
    if (!need.matrix || !target) continue;
    const path = [...need.path.slice(0, -1), "matrix"];
    const node = nodeAt(tree, path);
    if (node === undefined) continue;
    if (target.matrix === null) {
      report.add("P116", spanOfKey(tree, path), { message: `job "${need.job}" has no matrix` });
      continue;
    }
    const wrong = checkNames(
      node,
      { path, names: target.matrix.names, what: `the matrix of job "${need.job}"` },
      { tree, report },
    );
    const wanted = need.matrix;
    const { combinations } = target.matrix;
    if (wrong || !combinations || combinations.some((one) => hasValues(one, wanted))) continue;
    const message = `no combination of job "${need.job}" has these values`;
    report.add("P116", spanOfKey(tree, path), { message });
  }
}

function checkConditions(job: ModelJob, tree: MapNode, report: Report): void {
  const node = nodeAt(tree, job.path);
  if (node)
    visit(node, { path: job.path, names: job.matrix && { list: job.matrix.names } }, { tree, report });
}

function checkStages(tree: MapNode, report: Report): void {
  const stages = nodeAt(tree, ["stages"]);
  if (stages) visit(stages, { path: ["stages"], names: null }, { tree, report });
}

interface At {
  tree: MapNode;
  report: Report;
}

/** `names` is null where there is no matrix. */
function visit(
  node: TreeNode,
  { path, names }: { path: Path; names: { list: string[] | null } | null },
  at: At,
): void {
  if (node.kind === "seq")
    return node.items.forEach((item, i) => visit(item, { path: [...path, i], names }, at));
  if (node.kind !== "map") return;
  for (const entry of node.entries.values()) {
    const place = [...path, entry.key];
    const isClause = path.at(-1) === "when" || path.at(-2) === "when";
    if (!isClause || entry.key !== "matrix") visit(entry.value, { path: place, names }, at);
    else if (names === null)
      at.report.add("P116", entry.keySpan, {
        message: 'a condition on "matrix" is only for jobs with a matrix',
      });
    else checkNames(entry.value, { path: place, names: names.list, what: "the matrix of this job" }, at);
  }
}

/** Reports names that the matrix does not have; true if there are any. `names` is null where it is not known. */
function checkNames(
  node: TreeNode,
  { path, names, what }: { path: Path; names: readonly string[] | null; what: string },
  { tree, report }: At,
): boolean {
  if (node.kind !== "map" || names === null) return false;
  const unknown = [...node.entries.keys()].filter((name) => !names.includes(name));
  for (const name of unknown)
    report.add("P116", spanOfKey(tree, [...path, name]), {
      message: `${what} has no ${quote(name)}`,
      hint: suggestion(name, names, "Names here"),
    });
  return unknown.length > 0;
}
