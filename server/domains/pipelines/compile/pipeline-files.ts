/** The pipeline files of a commit, read and compiled. */
import { choosePipelineFiles, directory, singleFile } from "@forgeline/compiler/choose-files.ts";
import { limitHint, type HeldLimits } from "@forgeline/compiler/held-limits.ts";
import type { CompiledTriggers } from "@forgeline/compiler/triggers.ts";
import type { Diagnostic } from "@forgeline/schemas/pipeline-file/diagnostic.ts";
import type { PipelineEvent } from "@forgeline/schemas/pipeline-file/event.ts";
import type { Plan } from "@forgeline/schemas/pipeline-file/plan.ts";
import { compileReading } from "@forgeline/compiler/templates/read-all.ts";
import type { RunTemplate } from "@forgeline/schemas/pipelines/template.ts";
import { createTemplateReader, type TemplateDeps, type TemplatesFrom } from "./template-reader.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import { readHeldLimits } from "../pipeline-limits/held-limits.ts";
import { jobRightsOf } from "../privileges/judge-job.ts";
import type { CompilePool } from "./compile-pool.ts";

export type CompiledFile = {
  file: string;
  text: string | null;
  diagnostics: Diagnostic[];
  /** Absent: none. */
  templates?: RunTemplate[];
} & (
  | { plan: Plan; on: CompiledTriggers }
  /** `on`: null where it cannot be read. */
  | { plan: null; on: CompiledTriggers | null; problem: string }
);

export interface FileDeps extends TemplateDeps {
  db: Queryable;
  compiler: CompilePool;
}

/** Paths in alphabetical order; `diagnostics` for problems of the set of files itself. */
export async function findPipelineFiles(
  { db, files }: Pick<FileDeps, "db" | "files">,
  repositoryId: string,
  sha: string,
) {
  const [single, entries] = await Promise.all([
    files.readFile(repositoryId, { sha, path: singleFile, maxBytes: 0 }),
    files.listDirectory(repositoryId, sha, directory),
  ]);
  // Most repositories have no such directory, and one file is always allowed.
  const limits = entries ? await readHeldLimits(db, repositoryId) : undefined;
  const paths = (entries ?? []).map((entry) => `${directory}/${entry.name}`);
  return choosePipelineFiles([...(single ? [singleFile] : []), ...paths], limits?.files);
}

/** `event`: with one, what expressions ask of it must exist. For a run, `reader` is given. */
export async function compileFile(
  deps: FileDeps,
  from: TemplatesFrom & { file: string; event?: PipelineEvent },
): Promise<CompiledFile> {
  const { repositoryId, file, sha, event } = from;
  const bounds = await readBounds(deps.db, repositoryId, event);
  const { limits } = bounds;
  const found = await deps.files.readFile(repositoryId, {
    sha,
    path: file,
    maxBytes: limits.file_kib.value * 1024,
  });
  if (!found)
    return { file, text: null, plan: null, on: null, diagnostics: [], problem: `${file} does not exist` };
  if (!found.bytes) {
    const diagnostics = [tooLarge(file, limits.file_kib)];
    return { file, text: null, plan: null, on: null, diagnostics, problem: firstError(file, diagnostics) };
  }
  const text = found.bytes.toString("utf8");
  return compileText(deps, { file, text, bounds, ...(event ? { event } : {}) }, from);
}

/** What is set for a repository, by others than its file, and bounds what the file may say. */
interface Bounds {
  limits: HeldLimits;
  rights: Awaited<ReturnType<typeof jobRightsOf>>;
}

async function readBounds(
  db: Queryable,
  repositoryId: string,
  event: PipelineEvent | undefined,
): Promise<Bounds> {
  const [limits, rights] = await Promise.all([
    readHeldLimits(db, repositoryId),
    jobRightsOf(db, repositoryId, event),
  ]);
  return { limits, rights };
}

/** The compiler's message for such a file, which is not read here. */
function tooLarge(file: string, limit: HeldLimits["file_kib"]): Diagnostic {
  const message = `the file is larger than ${limit.value} KiB`;
  const place = { line: 1, column: 1, end_line: 1, end_column: 1 };
  return {
    code: "P301",
    severity: "error",
    file,
    ...place,
    message,
    hint: limitHint(limit),
    docs: "/pipelines/errors#P301",
  };
}

/** `from`: where its templates are, as if it lay there. `bounds`, where they have been read. */
export async function compileText(
  deps: FileDeps,
  { bounds, ...input }: { file: string; text: string; event?: PipelineEvent; bounds?: Bounds },
  from: TemplatesFrom,
): Promise<CompiledFile> {
  const { file, text } = input;
  const { limits, rights } = bounds ?? (await readBounds(deps.db, from.repositoryId, input.event));
  const reader = createTemplateReader(deps, from, limits.file_kib.value);
  const { compiled } = await compileReading(
    { ...input, ...rights, limits },
    { ...deps.compiler, read: reader.read },
  );
  if (!compiled) {
    return { file, text, plan: null, on: null, diagnostics: [], problem: `${file} takes too long to read` };
  }
  const { plan, on, diagnostics } = compiled;
  const shown = { file, text, diagnostics, templates: reader.pinned(compiled.templates) };
  if (plan && on) return { ...shown, plan, on };
  return { ...shown, plan: null, on, problem: firstError(file, diagnostics) };
}

export function firstError(file: string, diagnostics: readonly Diagnostic[]): string {
  const errors = diagnostics.filter((diagnostic) => diagnostic.severity === "error");
  const [first] = errors;
  if (!first) return `${file} has errors`;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : "";
  return `${first.file}:${first.line}:${first.column}: ${first.message}${more}`;
}
