/** Small parts of the plan, with every default filled in: images, conditions, services, steps, retry. */
import type { z } from "zod";
import type { FileService, FileStep } from "@forgeline/schemas/pipeline-file/file-job.ts";
import type {
  FileClone,
  FileImage,
  FileResources,
  FileRetry,
  FileRunner,
  FileShell,
} from "@forgeline/schemas/pipeline-file/file-values.ts";
import type { FileClause, FileWhen } from "@forgeline/schemas/pipeline-file/file-when.ts";
import type {
  PlanClause,
  PlanClone,
  PlanImage,
  PlanResources,
  PlanRetry,
  PlanService,
  PlanStep,
} from "@forgeline/schemas/pipeline-file/plan.ts";
import { planImageAuth, planSecrets } from "./build-secrets.ts";
import { durationMs, sizeBytes } from "./duration.ts";
import { firstLine, writtenSteps, type WrittenStep } from "./step-groups.ts";
import { textValues } from "./text-values.ts";

export function planImage(image: z.infer<typeof FileImage>): z.infer<typeof PlanImage> {
  if (typeof image === "string") return { name: image, user: null };
  return {
    name: image.name,
    user: image.user === undefined ? null : String(image.user),
    ...(image.pull === "always" ? { pull: image.pull } : {}),
    ...(image.auth === undefined ? {} : { auth: planImageAuth(image.auth) }),
    ...(image.entrypoint === undefined ? {} : { entrypoint: image.entrypoint }),
  };
}

export function planEnv(env: Readonly<Record<string, unknown>> | undefined): Record<string, string> {
  return textValues(env ?? {});
}

export function planWhen(when: z.infer<typeof FileWhen> | undefined): PlanClause[] {
  if (when === undefined) return [];
  if (typeof when === "string") return [{ if: when, text: oneLine(when) }];
  return [when].flat().map(planClause);
}

function planClause(clause: z.infer<typeof FileClause>): PlanClause {
  const plan: PlanClause = { text: clauseText(clause) };
  for (const key of [
    "event",
    "branch",
    "target",
    "label",
    "tag",
    "paths",
    "paths_ignore",
    "actor",
  ] as const) {
    const patterns = clause[key];
    if (patterns !== undefined) plan[key] = [patterns].flat();
  }
  if (clause.matrix !== undefined) plan.matrix = textValues(clause.matrix);
  if (clause.status !== undefined) plan.status = clause.status;
  if (clause.if !== undefined) plan.if = clause.if;
  return plan;
}

type Scalar = string | number | boolean;
type ClauseValue = Scalar | readonly string[] | Readonly<Record<string, Scalar>>;

/** `branch: main, event: [push, tag], matrix: { os: linux }` */
function clauseText(clause: Readonly<Record<string, ClauseValue | undefined>>): string {
  const parts = Object.entries(clause).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key}: ${clauseValue(value)}`],
  );
  return parts.join(", ");
}

function clauseValue(value: ClauseValue): string {
  if (typeof value !== "object") return oneLine(String(value));
  return isList(value) ? `[${value.join(", ")}]` : `{ ${clauseText(value)} }`;
}

function isList(value: object): value is readonly string[] {
  return Array.isArray(value);
}

export function oneLine(text: string): string {
  return text.trim().replace(/\s+/g, " ");
}

export function planResources(
  resources: z.infer<typeof FileResources> | undefined,
): z.infer<typeof PlanResources> {
  return {
    cpu: resources?.cpu ?? null,
    memoryBytes: resources?.memory === undefined ? null : sizeBytes(resources.memory),
    shmBytes: resources?.shm === undefined ? null : sizeBytes(resources.shm),
    ...(resources?.disk === undefined ? {} : { diskBytes: sizeBytes(resources.disk) }),
  };
}

export function planRetry(retry: z.infer<typeof FileRetry> | undefined): PlanRetry {
  const times = { delayMs: 5000, factor: 2, maxDelayMs: 300_000 };
  if (retry === undefined) return { max: 2, on: ["infra", "image_pull"], ...times };
  if (typeof retry === "number") return { max: retry, on: ["any"], ...times };
  return {
    max: retry.max,
    on: retry.on ?? ["infra", "image_pull"],
    delayMs: retry.delay === undefined ? times.delayMs : durationMs(retry.delay),
    factor: retry.factor ?? times.factor,
    maxDelayMs: retry.max_delay === undefined ? times.maxDelayMs : durationMs(retry.max_delay),
  };
}

export function planClone(clone: z.infer<typeof FileClone> | undefined): z.infer<typeof PlanClone> | null {
  if (clone === false) return null;
  return {
    depth: clone?.depth ?? 50,
    filter: clone?.filter ?? "none",
    tags: clone?.tags ?? false,
    lfs: clone?.lfs ?? false,
    ...planSubmodules(clone?.submodules),
  };
}

function planSubmodules(
  written: boolean | "recursive" | undefined,
): Pick<z.infer<typeof PlanClone>, "submodules"> {
  if (written === undefined || written === false) return {};
  return { submodules: written === true ? "direct" : written };
}

export function planLabels(runner: z.infer<typeof FileRunner> | undefined): string[] {
  if (runner === undefined) return [];
  return Array.isArray(runner)
    ? runner
    : Object.entries(runner).map(([key, value]) => `${key}=${String(value)}`);
}

export function planService(key: string, service: z.infer<typeof FileService>): z.infer<typeof PlanService> {
  return {
    key,
    image: planImage(service.image),
    env: planEnv(service.env),
    ...planSecrets(service.secrets),
    command: service.command ?? null,
    ready: planReady(service.ready),
    resources: planResources(service.resources),
  };
}

function planReady(ready: z.infer<typeof FileService>["ready"]): z.infer<typeof PlanService>["ready"] {
  if (ready === undefined) return null;
  if (ready === false) return false;
  const { timeout, interval, ...probe } = ready;
  const times = { timeoutMs: durationMs(timeout ?? "60s"), intervalMs: durationMs(interval ?? "1s") };
  return Object.assign(times, probe);
}

/** What a step has from its job or the file's defaults. */
export interface StepDefaults {
  shell: FileShell | undefined;
  idleTimeoutMs: number | null;
}

/** All steps of a job, in the order of the file. */
export function planSteps(steps: readonly z.infer<typeof FileStep>[], defaults: StepDefaults): PlanStep[] {
  const all = writtenSteps(steps);
  return all.map(({ step, group, outer }, position) => {
    const planned = planStep(step, position, defaults);
    return {
      ...planned,
      when: withOuter(planned.when, outer.map(planWhen)),
      parallel: group === null ? null : all.findIndex((one) => one.group === group),
    };
  });
}

/** The conditions beside `uses` must hold as well. */
function withOuter(own: PlanClause[], outer: readonly PlanClause[][]): PlanClause[] {
  if (outer.length === 0) return own;
  const texts = outer.map((clauses) => clauses.map(({ text }) => text).join(" | "));
  const clauses = own.length > 0 ? own : [{ text: "" }];
  return clauses.map((clause) => ({
    ...clause,
    text: [...texts, clause.text].filter((text) => text !== "").join(" and "),
    also: [...outer],
  }));
}

function planStep(
  step: WrittenStep["step"],
  position: number,
  defaults: StepDefaults,
): Omit<PlanStep, "parallel"> {
  return {
    position,
    id: step.id ?? null,
    name: step.name ?? firstLine(step.run),
    run: step.run,
    image: step.image === undefined ? null : planImage(step.image),
    shell: step.shell ?? defaults.shell ?? "auto",
    workdir: step.workdir ?? null,
    env: planEnv(step.env),
    ...planSecrets(step.secrets),
    when: planWhen(step.when),
    timeoutMs: step.timeout === undefined ? null : durationMs(step.timeout),
    idleTimeoutMs: step.idle_timeout === undefined ? defaults.idleTimeoutMs : durationMs(step.idle_timeout),
    allowFailure: step.allow_failure ?? false,
  };
}
