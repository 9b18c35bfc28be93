/** `strategy` of a job: its matrix, without the machines that our runners are not. */
import type { TreeNode } from "../../tree.ts";
import { attempt } from "../cannot.ts";
import { systemOf } from "../images.ts";
import { matrixName } from "../names.ts";
import { entries, items, textOfNode } from "../nodes.ts";
import { present, textOf, type Plain, type PlainMap } from "../plain.ts";
import { openSection, type Section } from "../trace.ts";
import { imageVersion } from "../values.ts";
import { translateTemplate } from "./texts.ts";
import type { JobWork } from "./job-work.ts";

export interface Strategy {
  matrix: Plain | null;
  fail_fast: true | null;
  max_parallel: number | null;
}

/** Also tells the job's expressions which names there are. */
export function convertStrategy(node: TreeNode | undefined, work: JobWork): Strategy {
  const section = openSection(node, "jobs.*.strategy", { trace: work.file.trace, at: work.section.at });
  const written = section.take("matrix");
  const failFast = textOfNode(section.take("fail-fast"));
  const parallel = Number(textOfNode(section.take("max-parallel")));
  section.finish({});
  if (written === undefined) return { matrix: null, fail_fast: null, max_parallel: null };
  const matrix =
    written.kind === "map"
      ? convertMatrix(written, section, work)
      : dynamic(textOfNode(written), section, work);
  if (matrix === null) return { matrix: null, fail_fast: null, max_parallel: null };
  return {
    matrix,
    fail_fast: failFast === "false" ? null : true,
    max_parallel: Number.isInteger(parallel) && parallel >= 1 && parallel <= 256 ? parallel : null,
  };
}

function dynamic(text: string | null, section: Section, work: JobWork): Plain {
  const translated = attempt(() => translateTemplate(text ?? "", work.known));
  if ("value" in translated && /^\$\{\{.*\}\}$/s.test(translated.value.trim())) {
    work.known.matrix = null;
    return translated.value;
  }
  section.note("matrix", {
    message: "problem" in translated ? translated.problem.message : "it is not a matrix",
  });
  return null;
}

function convertMatrix(node: TreeNode, section: Section, work: JobWork): Plain {
  const names = new Map<string, string>();
  work.known.matrix = names;
  const matrix: PlainMap = {};
  for (const { key, value } of entries(node)) {
    if (key === "include" || key === "exclude") continue;
    const list = value.kind === "seq" ? valuesOf(value, section) : expressionOf(value, section, work);
    if (list === null) continue;
    names.set(key, matrixName(key));
    matrix[matrixName(key)] = list;
  }
  for (const key of ["include", "exclude"]) {
    const value = entries(node).find((entry) => entry.key === key)?.value;
    if (value === undefined) continue;
    const combinations =
      value.kind === "seq"
        ? combinationsOf(value, section, { names, adds: key === "include" })
        : expressionOf(value, section, work);
    if (combinations !== null) matrix[key] = combinations;
  }
  return Object.keys(matrix).length > 0 ? matrix : null;
}

function expressionOf(node: TreeNode, section: Section, work: JobWork): Plain {
  const translated = attempt(() => translateTemplate(textOfNode(node) ?? "", work.known));
  if ("value" in translated && /^\$\{\{.*\}\}$/s.test(translated.value.trim())) return translated.value;
  section.note("matrix", {
    message: "problem" in translated ? translated.problem.message : "values of a matrix are lists",
  });
  return null;
}

function valuesOf(node: TreeNode, section: Section): Plain {
  const values = items(node).map((item) =>
    item.kind === "scalar" && item.value !== null && !item.text.includes("${{") ? plainOf(item) : null,
  );
  const kept = values.filter((value) => value !== null);
  if (kept.length < values.length)
    section.note("matrix", {
      message: "values of a matrix are texts, numbers, true and false, so others are left out",
    });
  return kept.length > 0 ? kept : null;
}

/** Numbers keep their text: 3.10 is no 3.1. */
function plainOf(node: TreeNode & { kind: "scalar" }): Plain {
  return typeof node.value === "number" && String(node.value) !== node.text ? node.text : node.value;
}

function combinationsOf(
  node: TreeNode,
  section: Section,
  { names, adds }: { names: Map<string, string>; adds: boolean },
): Plain {
  const result: Plain[] = [];
  for (const item of items(node)) {
    const combination: PlainMap = {};
    for (const { key, value } of entries(item)) {
      if (value.kind !== "scalar" || value.value === null || value.text.includes("${{")) {
        section.note("matrix", {
          message: `${key}: values of a matrix are texts, numbers, true and false`,
          suggestion: "name it under env, or decide it in a step",
        });
        continue;
      }
      if (!adds && !names.has(key)) continue;
      if (adds && !names.has(key)) names.set(key, matrixName(key));
      combination[matrixName(key)] = plainOf(value);
    }
    if (Object.keys(combination).length > 0) result.push(combination);
  }
  return result.length > 0 ? result : null;
}

/** Leaves only combinations that `machine` puts on Linux; says which are left out. */
export function keepLinux(
  job: PlainMap,
  { name, machine }: { name: string; machine: (value: string) => string },
  section: Section,
): void {
  const matrix = job.matrix;
  if (matrix === null || typeof matrix !== "object" || Array.isArray(matrix)) return;
  const isElsewhere = (value: Plain | undefined) =>
    value !== undefined && ["macos", "windows"].includes(systemOf(machine(textOf(value))) ?? "");
  const lists = [matrix[name], matrix.include].filter((list) => Array.isArray(list)) as Plain[][];
  const valueOf = (item: Plain) =>
    item !== null && typeof item === "object" && !Array.isArray(item) ? item[name] : item;
  const lost = lists.flatMap((list) => list.map(valueOf).filter(isElsewhere));
  const kept = lists.flatMap((list) => list.filter((item) => !isElsewhere(valueOf(item))));
  if (lost.length === 0 || kept.length === 0) return;
  for (const key of [name, "include", "exclude"]) {
    const list = matrix[key];
    if (!Array.isArray(list)) continue;
    const left = list.filter((item) => !isElsewhere(valueOf(item)));
    if (left.length > 0) matrix[key] = left;
    else delete matrix[key];
  }
  section.note("runs-on", {
    message: `jobs run in Linux containers, so there are none for ${[...new Set(lost.map((item) => textOf(valueOf(item ?? null))))].join(", ")}`,
    suggestion: "add a runner on that system and a job for it with runner: [os=…]",
  });
}

/** `22.x` of a matrix that chooses an image, as the image is called. */
export function plainVersions(job: PlainMap, names: Iterable<string>): void {
  const matrix = job.matrix;
  if (matrix === null || typeof matrix !== "object" || Array.isArray(matrix)) return;
  for (const name of names) {
    const list = matrix[matrixName(name)];
    if (Array.isArray(list))
      matrix[matrixName(name)] = list.map((value) =>
        typeof value === "string" ? imageVersion(value) : value,
      );
    for (const item of [matrix.include, matrix.exclude].flat() as (PlainMap | undefined)[]) {
      const value = item?.[matrixName(name)];
      if (item && typeof value === "string") item[matrixName(name)] = imageVersion(value);
    }
  }
}

export const strategyKeys = (strategy: Strategy): PlainMap => present({ ...strategy });
