/** What becomes of a job whose conditions hold, as far as it is known before it starts: what ends it, what holds it, its priority. Pure. */
import { highestPriority } from "@forgeline/schemas/pipeline-file/file-priority.ts";
import type { PlanApproval } from "@forgeline/schemas/pipeline-file/plan-approval.ts";
import type { PlanJob, PlanStage } from "@forgeline/schemas/pipeline-file/plan.ts";
import type { PlanGate, PlanNode } from "@forgeline/schemas/pipelines/plan.ts";
import { environmentProblem } from "./environment-name.ts";
import { contextsOf, type LanguageContext } from "./plan-language.ts";
import { renderPriority } from "./priority.ts";
import { hasNoImage, renderImage } from "./render-job.ts";
import { hasExpression, renderTemplate } from "./template.ts";

/** A job that would run. */
export interface PreviewedJob {
  /** With names of images as far as they are known. */
  job: PlanJob;
  /** That it deploys to; null: none. */
  environment: string | null;
  /** The names of its images do not depend on outputs. */
  hasImages: boolean;
}

/** Why a job would end before a runner takes it. */
export interface JobRefusal {
  ends: "error" | "failed";
  reason: string;
  message: string;
}

/** What only a server can know. */
export interface ServerFacts {
  refusal: (job: PreviewedJob) => JobRefusal | null;
  /** How the protection of an environment holds a job; null: not at all. */
  gateAt: (environment: string) => Pick<PlanGate, "approvals" | "wait_minutes"> | null;
  /** Whoever asks for more gets this. */
  maxPriority: number;
}

/** Nothing is refused, and no environment holds a job. */
export const noServer: ServerFacts = {
  refusal: () => null,
  gateAt: () => null,
  maxPriority: highestPriority,
};

/** Approvals that the file asks for before any job of the stage starts. */
export function gatesOfStage({ approval }: PlanStage): Pick<PlanNode, "gates"> {
  return shown(ofFile("stage", approval));
}

/** What would end the job, or what holds it and its priority. */
export function startOf(
  job: PlanJob,
  of: { context: LanguageContext; environment: string | null; server: ServerFacts },
): Partial<PlanNode> {
  const { context, environment, server } = of;
  const refused = nowhere(job, context) ?? server.refusal({ ...withImages(job, context), environment });
  if (refused) return { ...refused, runs: false };
  try {
    return { ...gatesOf(job, of), ...priorityOf(job, context, server) };
  } catch (error) {
    return { runs: false, ends: "error", reason: "config", message: (error as Error).message };
  }
}

/** Of a job whose environment has a name that none can have. What depends on outputs or on inputs that were not given is left to the run. */
function nowhere({ environment }: PlanJob, context: LanguageContext): JobRefusal | null {
  if (!environment || dependsOnOutputs(environment.name) || lacksInputs(environment.name, context))
    return null;
  try {
    const problem = environmentProblem(renderTemplate(environment.name, contextsOf(context)).trim());
    return problem === null ? null : { ends: "error", reason: "config", message: problem };
  } catch {
    return null;
  }
}

function lacksInputs(text: string, { event }: LanguageContext): boolean {
  return /\binputs\b/.test(text) && Object.values(event.inputs).includes(null);
}

function gatesOf(
  { approval }: PlanJob,
  { environment, server }: { environment: string | null; server: ServerFacts },
): Pick<PlanNode, "gates"> {
  const there = environment === null ? null : server.gateAt(environment);
  return shown([...ofFile("job", approval), ...(there ? [{ of: "environment" as const, ...there }] : [])]);
}

function ofFile(of: "stage" | "job", approval: PlanApproval | undefined): PlanGate[] {
  return approval ? [{ of, approvals: approval.count, wait_minutes: 0 }] : [];
}

function shown(gates: PlanGate[]): Pick<PlanNode, "gates"> {
  return gates.length > 0 ? { gates } : {};
}

/** Throws a sentence for people. */
function priorityOf(
  job: PlanJob,
  context: LanguageContext,
  { maxPriority }: ServerFacts,
): Pick<PlanNode, "priority" | "priority_asked"> {
  if (dependsOnOutputs(String(job.priority))) return {};
  const asked = renderPriority(job.priority, contextsOf(context));
  if (!("priority" in asked) || asked.priority <= maxPriority) return asked;
  return { priority: maxPriority, priority_asked: asked.priority };
}

/** Nobody knows those yet. */
function dependsOnOutputs(text: string): boolean {
  return hasExpression(text) && /\bneeds\b/.test(text);
}

function withImages(job: PlanJob, context: LanguageContext): Pick<PreviewedJob, "job" | "hasImages"> {
  const render = (image: PlanJob["image"]) => renderImage(image, contextsOf(context));
  const images = [job.image, ...job.services.map(({ image }) => image)];
  if (images.some(({ name }) => dependsOnOutputs(name))) return { job, hasImages: false };
  try {
    const services = job.services.map((service) => ({ ...service, image: render(service.image) }));
    return {
      job: { ...job, image: hasNoImage(job) ? job.image : render(job.image), services },
      hasImages: true,
    };
  } catch {
    return { job, hasImages: false };
  }
}
