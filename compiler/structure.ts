/**
 * Tree to typed file. What the schemas refuse is reported once and cut out, so that the rest of the file can still be
 * judged: an author sees all mistakes at once, and none that only follows from another.
 */
import { z } from "zod";
import { FileApproval } from "@forgeline/schemas/pipeline-file/file-approval.ts";
import { FileClone, FileResources, FileRetry } from "@forgeline/schemas/pipeline-file/file-values.ts";
import { FileEnvironment } from "@forgeline/schemas/pipeline-file/file-environment.ts";
import { FileNetwork } from "@forgeline/schemas/pipeline-file/file-network.ts";
import { FileConcurrency } from "@forgeline/schemas/pipeline-file/file-concurrency.ts";
import {
  FileJob,
  FileNeeds,
  FileService,
  FileStage,
  FileStep,
} from "@forgeline/schemas/pipeline-file/file-job.ts";
import { FileDefaults, FullPipelineFile, TinyPipelineFile } from "@forgeline/schemas/pipeline-file/file.ts";
import { FileTrigger } from "@forgeline/schemas/pipeline-file/file-trigger.ts";
import { FileSecret } from "@forgeline/schemas/pipeline-file/file-secrets.ts";
import { FileInput } from "@forgeline/schemas/pipeline-file/file-input.ts";
import { FileArtifact } from "@forgeline/schemas/pipeline-file/file-artifacts.ts";
import { FileCache } from "@forgeline/schemas/pipeline-file/file-caches.ts";
import { FileReports } from "@forgeline/schemas/pipeline-file/file-reports.ts";
import { FileClause, FileOn, FileSchedule } from "@forgeline/schemas/pipeline-file/file-when.ts";
import { checkGroups } from "./check-groups.ts";
import { checkCounts } from "./check-limits.ts";
import { addTriggerSteps } from "./check-trigger.ts";
import { withoutEchoes } from "./echoes.ts";
import { explainIssue } from "./explain-issue.ts";
import { objectKind, type ObjectKind } from "./path-kinds.ts";
import type { Report } from "./report.ts";
import type { Path } from "./path.ts";
import { copyTree, nodeAt, removeAt, toValue, type MapNode, type TreeNode } from "./tree.ts";

/** A file whose every remaining part is sound; `tree` is cut to the same extent. */
export type ValidFile = { tree: MapNode } & (
  | { form: "full"; file: FullPipelineFile }
  | { form: "tiny"; file: TinyPipelineFile }
);

/** null when nothing of the file is left to judge. */
export function readStructure(root: TreeNode, report: Report): ValidFile | null {
  if (root.kind !== "map" || root.entries.size === 0) {
    const empty = root.kind === "scalar" && root.value === null;
    const hint = "begin with `image:` and `steps:`, or with `jobs:`";
    const message = empty || root.kind === "map" ? "the file is empty" : "the file must be a mapping of keys";
    report.add("P003", { start: root.span.start, end: root.span.start + 1 }, { message, hint });
    return null;
  }
  const tree = copyTree(root) as MapNode;
  for (const key of tree.entries.keys()) if (key.startsWith("x-")) tree.entries.delete(key);
  const form = chooseForm(tree, report);
  addTriggerSteps(tree);
  checkCounts(tree, report);
  checkGroups(tree, report);
  if (form === "full") {
    const file = parseCutting(FullPipelineFile, tree, report);
    return file && { form, file, tree };
  }
  const file = parseCutting(TinyPipelineFile, tree, report);
  return file && { form, file, tree };
}

function chooseForm(tree: MapNode, report: Report): "full" | "tiny" {
  const full = tree.entries.has("jobs") || tree.entries.has("stages");
  if (!full) return "tiny";
  for (const key of [
    "steps",
    "image",
    "services",
    "environment",
    "secrets",
    "id_token",
    "permissions",
    "cache",
    "artifacts",
    "reports",
  ]) {
    const entry = tree.entries.get(key);
    if (!entry) continue;
    const hint = hints[key] ?? "put it into a job";
    report.add("P109", entry.keySpan, {
      message: `top-level "${key}" is only allowed without "jobs"`,
      hint,
    });
    tree.entries.delete(key);
  }
  return "full";
}

const hints: Readonly<Partial<Record<string, string>>> = {
  image: "put it under `defaults`",
  permissions: "put it into a job, or under `defaults` for all of them",
};

/** The schemas change nothing, so the value itself is given: it keeps the author's order of keys. */
function parseCutting<T>(schema: z.ZodType<T>, tree: MapNode, report: Report): T | null {
  const value = toValue(tree);
  const first = schema.safeParse(value);
  if (first.success) return value as T;
  const issues = withoutEchoes(first.error.issues, tree);
  let wrong = issues.flatMap((issue) => explainIssue(issue, { tree, report, keysAt }));
  // What is left may lack a required key through the cuts; each round cuts its owner, silently, so it ends.
  const silent: Report = {
    limits: report.limits,
    add: () => undefined,
    hasErrors: () => true,
    include: () => undefined,
    list: () => [],
  };
  for (let round = 0; round < 8; round += 1) {
    cut(tree, wrong);
    const rest = toValue(tree);
    const next = schema.safeParse(rest);
    if (next.success) return rest as T;
    wrong = next.error.issues.flatMap((issue) => explainIssue(issue, { tree, report: silent, keysAt }));
    if (wrong.some((path) => path.length <= 1 && nodeAt(tree, path) === undefined)) return null;
  }
  return null;
}

/** From the end of lists to their beginning, so that indices stay true; a missing value takes its owner along. */
function cut(tree: TreeNode, paths: readonly Path[]): void {
  const once = new Map(paths.map((path) => [JSON.stringify(path), path]));
  const ordered = [...once.values()].toSorted((a, b) => comparePaths(b, a));
  for (const path of ordered) {
    if (!removeAt(tree, path) && path.length > 1) removeAt(tree, path.slice(0, -1));
  }
}

function comparePaths(a: Path, b: Path): number {
  for (let i = 0; i < Math.min(a.length, b.length); i += 1) {
    const x = a[i];
    const y = b[i];
    if (x === y) continue;
    if (typeof x === "number" && typeof y === "number") return x - y;
    return String(x) < String(y) ? -1 : 1;
  }
  return a.length - b.length;
}

const schemas: Readonly<Partial<Record<ObjectKind, z.ZodType>>> = {
  file: FullPipelineFile,
  on: FileOn,
  "on.input": FileInput,
  "on.schedule": FileSchedule,
  defaults: FileDefaults,
  stage: FileStage,
  job: FileJob,
  step: FileStep,
  service: FileService,
  secret: FileSecret,
  clause: FileClause,
  need: FileNeeds,
  artifact: FileArtifact,
  cache: FileCache,
  reports: FileReports,
  clone: FileClone,
  resources: FileResources,
  retry: FileRetry,
  approval: FileApproval,
  concurrency: FileConcurrency,
  environment: FileEnvironment,
  network: FileNetwork,
  trigger: FileTrigger,
};

function keysAt(path: Path): readonly string[] {
  const kind = objectKind(path);
  const fixed: Partial<Record<ObjectKind, readonly string[]>> = {
    file: [...new Set([...Object.keys(FullPipelineFile.shape), ...Object.keys(TinyPipelineFile.shape)])],
    need: ["job", "optional", "matrix"],
    step: shapeKeys(FileStep).filter((key) => key !== "steps"),
    image: ["name", "pull", "auth", "user", "entrypoint"],
    "image.auth": ["username", "password"],
    ready: ["tcp", "http", "exec", "timeout", "interval"],
    "on.push": ["branches", "branches_ignore", "paths", "paths_ignore"],
    "on.tag": ["tags"],
    "on.manual": ["inputs"],
    "on.sync": ["branches", "branches_ignore", "paths", "paths_ignore", "tags"],
  };
  return fixed[kind] ?? shapeKeys(schemas[kind]);
}

/** Keys of an object schema, or of the objects among a union's options. */
function shapeKeys(schema: z.ZodType | undefined): string[] {
  if (schema instanceof z.ZodObject) return Object.keys(schema.shape);
  if (schema instanceof z.ZodUnion)
    return [...new Set(schema.options.flatMap((option) => shapeKeys(option as z.ZodType)))];
  return [];
}
