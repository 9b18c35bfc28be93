/** What is to be run: the file with its plan, the event, and where the files of the jobs are. Needs no Docker. */
import { compile } from "@forgeline/compiler/compile.ts";
import type { CompiledTriggers } from "@forgeline/compiler/triggers.ts";
import { matchTriggers } from "@forgeline/compiler/triggers.ts";
import type { Diagnostic } from "@forgeline/schemas/pipeline-file/diagnostic.ts";
import type { PipelineEvent } from "@forgeline/schemas/pipeline-file/event.ts";
import type { Plan } from "@forgeline/schemas/pipeline-file/plan.ts";
import type { PlanResult } from "@forgeline/schemas/pipelines/resource.ts";
import { previewPlan } from "@forgeline/server/domains/pipelines/compile/plan-preview.ts";
import { requireInputs, resolveInputs } from "@forgeline/server/domains/pipelines/compile/run-inputs.ts";
import { AppError } from "@forgeline/server/platform/app-error.ts";
import { eventOf } from "./event.ts";
import { ExecProblem } from "./exec-problem.ts";
import { findPipelineFile } from "./pipeline-file.ts";
import { findRepository, type LocalRepository } from "./repository.ts";
import type { ExecRequest } from "./request.ts";

export interface Project {
  request: ExecRequest;
  repository: LocalRepository;
  /** Inputs as they were given, not yet judged. */
  event: PipelineEvent;
  text: string;
  /** Errors and warnings of the file. */
  diagnostics: Diagnostic[];
  /** null when the file has errors. */
  compiled: { plan: Plan; on: CompiledTriggers } | null;
}

/** Throws `ExecProblem`. */
export async function openProject(request: ExecRequest): Promise<Project> {
  const repository = await findRepository(request.directory);
  const [event, found] = await Promise.all([
    eventOf(repository, request),
    findPipelineFile(repository, request),
  ]);
  const project = { request, repository, event };
  if ("diagnostics" in found) return { ...project, text: "", diagnostics: found.diagnostics, compiled: null };
  const { plan, on, diagnostics } = compile({ ...found, event });
  return { ...project, text: found.text, diagnostics, compiled: plan && on ? { plan, on } : null };
}

/** As REST shows it for the same file. Throws `ExecProblem` for inputs that do not fit. */
export function planOf({ compiled, event, request, diagnostics }: Project): PlanResult {
  if (!compiled) return { valid: false, nodes: [], inputs: [], missing_inputs: [], diagnostics };
  const { plan, on } = compiled;
  const resolve = () => resolveInputs(plan.inputs, request.inputs, event.name);
  const { values, missing } = inExecWords(resolve);
  const nodes = previewPlan(plan, on, { ...event, inputs: values });
  return { valid: true, nodes, inputs: plan.inputs, missing_inputs: missing, diagnostics };
}

/** The event with all inputs. Throws `ExecProblem` when it makes no run, and for inputs that do not fit. */
export function runnableEvent({ compiled, event, request }: Project): PipelineEvent {
  if (!compiled) throw new Error("a file with errors has no run");
  const { plan, on } = compiled;
  const decision = matchTriggers(on, event);
  if (!decision.run) throw new ExecProblem(whyNoRun(plan.file, event, decision.reason));
  return { ...event, inputs: inExecWords(() => requireInputs(plan.inputs, request.inputs, event.name)) };
}

function whyNoRun(file: string, event: PipelineEvent, reason: string): string {
  const what = `${event.name} of ${event.tag ?? event.branch ?? event.ref}`;
  if (reason === "skip_ci") return `the message of the last commit asks to skip the run; use --event manual`;
  return `${file} does not run for the ${what} (${reason}); choose with --event, --branch, --tag or --since`;
}

/** The server's sentences, by the option that they are about. */
function inExecWords<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const all = error.options.errors ?? [];
    const lines = all.map(({ field, message }) => `-i ${field.replace(/^inputs\./, "")}: ${message}`);
    throw new ExecProblem(lines.length > 0 ? lines.join("\n") : error.message);
  }
}
