/** The pipeline files of a commit, read and compiled. */
import { choosePipelineFiles, directory, singleFile } from "@forgeline/compiler/choose-files.ts";
import { limits } from "@forgeline/compiler/limits.ts";
import type { CompiledTriggers } from "@forgeline/compiler/triggers.ts";
import type { Diagnostic } from "@forgeline/schemas/pipeline-file/diagnostic.ts";
import type { PipelineEvent } from "@forgeline/schemas/pipeline-file/event.ts";
import type { Plan } from "@forgeline/schemas/pipeline-file/plan.ts";
import type { RepositoryFiles } from "../../../platform/git/storage/repository-files.ts";
import type { CompilePool } from "./compile-pool.ts";

export type CompiledFile = { file: string; text: string | null; diagnostics: Diagnostic[] } & (
  | { plan: Plan; on: CompiledTriggers }
  | { plan: null; problem: string }
);

export interface FileDeps {
  files: RepositoryFiles;
  compiler: CompilePool;
}

/** Paths in alphabetical order; `diagnostics` for problems of the set of files itself. */
export async function findPipelineFiles(files: RepositoryFiles, repositoryId: string, sha: string) {
  const [single, entries] = await Promise.all([
    files.readFile(repositoryId, { sha, path: singleFile, maxBytes: 0 }),
    files.listDirectory(repositoryId, sha, directory),
  ]);
  const paths = (entries ?? []).map((entry) => `${directory}/${entry.name}`);
  return choosePipelineFiles([...(single ? [singleFile] : []), ...paths]);
}

/** `event`: with one, what expressions ask of it must exist. */
export async function compileFile(
  deps: FileDeps,
  from: { repositoryId: string; file: string; sha: string; event?: PipelineEvent },
): Promise<CompiledFile> {
  const { repositoryId, file, sha, event } = from;
  const found = await deps.files.readFile(repositoryId, {
    sha,
    path: file,
    maxBytes: limits.fileBytes,
  });
  if (!found) return { file, text: null, plan: null, diagnostics: [], problem: `${file} does not exist` };
  if (!found.bytes) {
    const diagnostics = [tooLarge(file)];
    return { file, text: null, plan: null, diagnostics, problem: firstError(file, diagnostics) };
  }
  const text = found.bytes.toString("utf8");
  return compileText(deps.compiler, { file, text, ...(event ? { event } : {}) });
}

/** The compiler's message for such a file, which is not read here. */
function tooLarge(file: string): Diagnostic {
  const message = `the file is larger than ${limits.fileBytes / 1024} KiB`;
  const place = { line: 1, column: 1, end_line: 1, end_column: 1 };
  return {
    code: "P301",
    severity: "error",
    file,
    ...place,
    message,
    hint: null,
    docs: "/pipelines/errors#P301",
  };
}

export async function compileText(
  compiler: CompilePool,
  input: { file: string; text: string; event?: PipelineEvent },
): Promise<CompiledFile> {
  const { file, text } = input;
  const compiled = await compiler.compile(input);
  if (!compiled) {
    return { file, text, plan: null, diagnostics: [], problem: `${file} takes too long to read` };
  }
  const { plan, on, diagnostics } = compiled;
  if (plan && on) return { file, text, plan, on, diagnostics };
  return { file, text, plan: null, diagnostics, problem: firstError(file, diagnostics) };
}

export function firstError(file: string, diagnostics: readonly Diagnostic[]): string {
  const errors = diagnostics.filter((diagnostic) => diagnostic.severity === "error");
  const [first] = errors;
  if (!first) return `${file} has errors`;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : "";
  return `${first.file}:${first.line}:${first.column}: ${first.message}${more}`;
}
