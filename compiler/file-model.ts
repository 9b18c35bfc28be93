/** The sound file as the checks need it: jobs and stages in the order of the file, each with its place. */
import type { z } from "zod";
import type { FileJob, FileStage } from "@forgeline/schemas/pipeline-file/file-job.ts";
import type { NeededArtifacts } from "@forgeline/schemas/pipeline-file/plan-artifact.ts";
import type { MatrixValues } from "@forgeline/schemas/pipeline-file/plan.ts";
import type { HeldLimits } from "./held-limits.ts";
import { modelMatrix, type ModelMatrix } from "./build-matrix.ts";
import type { ValidFile } from "./structure.ts";
import { textValues } from "./text-values.ts";
import type { Path } from "./path.ts";
import { nodeAt, type TreeNode } from "./tree.ts";

export type JobInFile = z.infer<typeof FileJob>;
export type StageInFile = Exclude<z.infer<typeof FileStage>, string>;

export interface ModelNeed {
  job: string;
  optional: boolean;
  /** Values that combinations of the job must have; null: all combinations. */
  matrix: MatrixValues | null;
  /** Absent: none. */
  artifacts?: NeededArtifacts;
  path: Path;
}
export interface ModelJob {
  key: string;
  path: Path;
  job: JobInFile;
  /** Place of `when`, `steps`… in the file; the job itself, or the whole file in the tiny form. */
  stage: string | null;
  needs: ModelNeed[] | null;
  matrix: ModelMatrix | null;
  /** Output names as they stand in the file, also of jobs with other mistakes. null: its template could not be read. */
  outputs: string[] | null;
}
export interface ModelStage {
  name: string;
  path: Path;
  stage: StageInFile;
  needs: { name: string; path: Path }[] | null;
}
export interface FileModel {
  form: "full" | "tiny";
  jobs: ModelJob[];
  stages: ModelStage[];
  /** All names in the file, also of parts that are wrong, so that no mistake makes a second one. */
  jobNames: string[];
  stageNames: string[];
  /** Whether the file has a list of stages, and whether all of it is sound. */
  hasStages: boolean;
  stagesSound: boolean;
}

export function buildModel(sound: ValidFile, original: TreeNode, limits: HeldLimits): FileModel {
  if (sound.form === "tiny") return tinyModel(sound.file);
  const { file, tree } = sound;
  const order = keysOf(nodeAt(tree, ["jobs"]));
  const jobs = order.flatMap((key) => {
    const job = file.jobs[key];
    return job ? [modelJob({ key, job }, original, limits)] : [];
  });
  const written = nodeAt(original, ["stages"]);
  const hasStages = written !== undefined;
  const stages = (file.stages ?? ["main"]).map((stage, i) => modelStage(stage, i));
  return {
    form: "full",
    jobs,
    stages,
    jobNames: keysOf(nodeAt(original, ["jobs"])),
    stageNames: hasStages ? [...new Set(stageNamesOf(written))] : ["main"],
    hasStages,
    stagesSound: !hasStages || (written.kind === "seq" && written.items.length === file.stages?.length),
  };
}

function tinyModel(file: (ValidFile & { form: "tiny" })["file"]): FileModel {
  const { image, services, environment, secrets, permissions, cache, artifacts, reports, steps } = file;
  const { id_token: idToken } = file;
  const job: JobInFile = { steps };
  if (image !== undefined) job.image = image;
  if (services !== undefined) job.services = services;
  if (environment !== undefined) job.environment = environment;
  if (secrets !== undefined) job.secrets = secrets;
  if (idToken !== undefined) job.id_token = idToken;
  if (permissions !== undefined) job.permissions = permissions;
  if (cache !== undefined) job.cache = cache;
  if (artifacts !== undefined) job.artifacts = artifacts;
  if (reports !== undefined) job.reports = reports;
  return {
    form: "tiny",
    jobs: [{ key: "main", path: [], job, stage: "main", needs: null, matrix: null, outputs: [] }],
    stages: [{ name: "main", path: [], stage: { name: "main" }, needs: null }],
    jobNames: ["main"],
    stageNames: ["main"],
    hasStages: false,
    stagesSound: true,
  };
}

function modelJob(
  { key, job }: Pick<ModelJob, "key" | "job">,
  original: TreeNode,
  limits: HeldLimits,
): ModelJob {
  const path = ["jobs", key];
  const written = nodeAt(original, path);
  const needs = job.needs?.map((need, i) => {
    const named: Exclude<typeof need, string> = typeof need === "string" ? { job: need } : need;
    const place = typeof need === "string" ? [...path, "needs", i] : [...path, "needs", i, "job"];
    return {
      job: named.job,
      optional: named.optional ?? false,
      matrix: named.matrix === undefined ? null : textValues(named.matrix),
      ...(named.artifacts ? { artifacts: named.artifacts } : {}),
      path: place,
    };
  });
  const taken = nodeAt(original, [...path, "trigger", "outputs"]);
  return {
    key,
    path,
    job,
    stage: job.stage ?? null,
    needs: needs ?? null,
    matrix: job.matrix === undefined ? null : modelMatrix(job.matrix, limits.matrix_combinations),
    outputs:
      written?.kind === "map" && written.outputs === null
        ? null
        : [...keysOf(nodeAt(original, [...path, "outputs"])), ...textsOf(taken)],
  };
}

function modelStage(written: string | StageInFile, index: number): ModelStage {
  const stage = typeof written === "string" ? { name: written } : written;
  const path = ["stages", index];
  const names = stage.needs === undefined ? null : [stage.needs].flat();
  const isList = Array.isArray(stage.needs);
  const needs = names?.map((name, i) => ({
    name,
    path: isList ? [...path, "needs", i] : [...path, "needs"],
  }));
  return { name: stage.name, path, stage, needs: needs ?? null };
}

function keysOf(node: TreeNode | undefined): string[] {
  return node?.kind === "map" ? [...node.entries.keys()] : [];
}

function textsOf(node: TreeNode | undefined): string[] {
  return node?.kind === "seq" ? node.items.flatMap((item) => (item.kind === "scalar" ? item.text : [])) : [];
}

function stageNamesOf(node: TreeNode | undefined): string[] {
  if (node?.kind !== "seq") return [];
  return node.items.flatMap((item) => {
    const name = item.kind === "map" ? item.entries.get("name")?.value : item;
    return name?.kind === "scalar" && name.value !== null ? [name.text] : [];
  });
}
