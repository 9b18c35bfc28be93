/** What is to be run: the file with its plan, the event, and where the files of the jobs are. Needs no Docker. */
import { planFile } from "@forgeline/compiler/plan-file.ts";
import { stepOfUnread } from "@forgeline/compiler/templates/expand.ts";
import type { TemplateFiles } from "@forgeline/compiler/templates/library.ts";
import type { CompiledTriggers } from "@forgeline/compiler/triggers.ts";
import { matchTriggers } from "@forgeline/compiler/triggers.ts";
import type { FieldError } from "@forgeline/schemas/core/errors.ts";
import type { Diagnostic } from "@forgeline/schemas/pipeline-file/diagnostic.ts";
import type { PipelineEvent } from "@forgeline/schemas/pipeline-file/event.ts";
import type { Plan } from "@forgeline/schemas/pipeline-file/plan.ts";
import type { PlanResult } from "@forgeline/schemas/pipelines/plan.ts";
import { requireInputs } from "@forgeline/server/domains/pipelines/compile/run-inputs.ts";
import { AppError } from "@forgeline/server/platform/app-error.ts";
import { eventOf } from "./event.ts";
import { ExecProblem } from "./exec-problem.ts";
import { compileWith } from "../checkout/compile-checkout.ts";
import type { LocalRun } from "./local-run.ts";
import { findPipelineFile, readProjectFile } from "./pipeline-file.ts";
import { findRepository, type LocalRepository } from "./repository.ts";
import type { ExecRequest } from "./request.ts";

export interface Project {
  request: ExecRequest;
  repository: LocalRepository;
  /** Inputs as they were given, not yet judged. */
  event: PipelineEvent;
  /** Its path from the top of the working tree; null where none was found. */
  file: string | null;
  text: string;
  /** That the file uses, as they were read. */
  templates: TemplateFiles;
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
  if ("diagnostics" in found)
    return {
      ...project,
      file: null,
      text: "",
      templates: {},
      diagnostics: found.diagnostics,
      compiled: null,
    };
  const { compiled, templates } = await compileWith({ ...found, event }, (path) =>
    readProjectFile(repository, path, request.committed),
  );
  const { plan, on, diagnostics } = compiled;
  return { ...project, ...found, templates, diagnostics, compiled: plan && on ? { plan, on } : null };
}

/** As REST shows it for the same file. Throws `ExecProblem` for inputs that do not fit. */
export function planOf({ file, text, templates, event, request, diagnostics }: Project): PlanResult {
  const nothing = { nodes: [], inputs: [], missing_inputs: [], variables: [], templates: [] };
  const changed = { event: event.name, changed_files: event.changedPaths?.length ?? null };
  if (file === null) return { valid: false, ...nothing, ...changed, diagnostics };
  const { result, errors } = planFile({ file, text, event, inputs: request.inputs, templates });
  if (errors.length > 0) throw new ExecProblem(inputSentences(errors));
  return result;
}

/** The event with all inputs. Throws `ExecProblem` when it makes no run or cannot run here, and for inputs that do not fit. */
export function runnableEvent({ compiled, event, request }: Project): PipelineEvent {
  if (!compiled) throw new Error("a file with errors has no run");
  const { plan, on } = compiled;
  const decision = matchTriggers(on, event);
  if (!decision.run) throw new ExecProblem(whyNoRun(plan.file, event, decision.reason));
  return { ...event, inputs: inExecWords(() => requireInputs(plan.inputs, request.inputs, event.name)) };
}

/** What they stand for is unknown here, and jobs without it would be others. Throws `ExecProblem` where one of these uses any. */
export function refuseTemplatesElsewhere({ plan, jobs }: LocalRun, templates: TemplateFiles): void {
  const chosen = new Set(jobs.filter(({ kept }) => !kept).map(({ key }) => key));
  const steps = plan.jobs.flatMap((job) => (chosen.has(job.key) ? job.steps : []));
  const keys = Object.entries(templates).flatMap(([key, found]) =>
    "elsewhere" in found && steps.some(({ run }) => run === stepOfUnread(key)) ? [key] : [],
  );
  if (keys.length === 0) return;
  throw new ExecProblem(
    `${plan.file} uses templates of other repositories, which only the server reads: ${keys.join(", ")}; copy them into this checkout (uses: ./FILE), choose jobs that need none of them (--job), or use forgeline pipeline run`,
  );
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
    throw new ExecProblem(inputSentences(error.options.errors ?? []) || error.message);
  }
}

function inputSentences(errors: readonly FieldError[]): string {
  return errors.map(({ field, message }) => `-i ${field.replace(/^inputs\./, "")}: ${message}`).join("\n");
}
