/** Errors of a CODEOWNERS file as they are shown: in order, each with its line. */
import { codeOwnersLimits, type CodeOwnersError } from "./file.ts";

const maxSource = 300;

export type ShownError = Omit<CodeOwnersError, "suggestion"> & { suggestion: string | null; source: string };

/** The first `codeOwnersLimits.errors` of those given in any order; `text` is that of the file. */
export function withSource(errors: readonly CodeOwnersError[], text: string): ShownError[] {
  const lines = text.replace(/^\uFEFF/, "").split("\n");
  return errors
    .toSorted((one, other) => one.line - other.line || one.column - other.column)
    .slice(0, codeOwnersLimits.errors)
    .map(({ suggestion = null, ...error }) => ({
      ...error,
      suggestion,
      source: (lines[error.line - 1] ?? "").replace(/\r$/, "").slice(0, maxSource).toWellFormed(),
    }));
}
