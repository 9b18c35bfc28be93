/** Collects diagnostics: each once, in the order of the file, at most 50, errors before warnings are dropped. */
import type { Diagnostic } from "@forgeline/schemas/pipeline-file/diagnostic.ts";
import type { Code } from "./codes.ts";
import { defaultLimits, type HeldLimits } from "./held-limits.ts";
import { limits } from "./limits.ts";
import type { Source, Span } from "./source.ts";

export interface Report {
  /** What the file is judged by, as far as administrators can set it. */
  limits: HeldLimits;
  add(code: Code, span: Span, text: { message: string; hint?: string | null }): void;
  hasErrors(): boolean;
  /** What was found in a template, which has a report of its own. */
  include(diagnostics: readonly Diagnostic[]): void;
  list(): Diagnostic[];
}

export function createReport(source: Source, held: HeldLimits = defaultLimits): Report {
  const found = new Map<string, Diagnostic>();
  let errors = 0;

  function take(diagnostic: Diagnostic): void {
    const { file, code, line, column, message } = diagnostic;
    const key = `${file}:${code}:${line}:${column}:${message}`;
    if (found.has(key)) return;
    found.set(key, diagnostic);
    if (diagnostic.severity === "error") errors += 1;
  }

  return {
    limits: held,
    add(code, span, { message, hint = null }) {
      take(locate(source, { code, span, message, hint }));
    },
    hasErrors: () => errors > 0,
    include(diagnostics) {
      for (const diagnostic of diagnostics) take(diagnostic);
    },
    list() {
      const errorsFirst = [...found.values()].sort((a, b) => a.severity.localeCompare(b.severity));
      return errorsFirst.slice(0, limits.diagnostics).sort((a, b) => inFileOrder(a, b, source.file));
    },
  };
}

/** Those of the file itself come before those of its templates. */
function inFileOrder(a: Diagnostic, b: Diagnostic, own: string): number {
  const byFile = Number(a.file !== own) - Number(b.file !== own) || a.file.localeCompare(b.file);
  return byFile || a.line - b.line || a.column - b.column || a.code.localeCompare(b.code);
}

function locate(
  source: Source,
  { code, span, message, hint }: { code: Code; span: Span; message: string; hint: string | null },
): Diagnostic {
  const { file, chain, position } = span.source ?? source;
  const start = position(span.start);
  const end = position(Math.max(span.end, span.start));
  return {
    code,
    severity: code.startsWith("W") ? "warning" : "error",
    file,
    line: start.line,
    column: start.column,
    end_line: end.line,
    end_column: end.column,
    message,
    hint,
    docs: `/pipelines/errors#${code}`,
    ...(chain.length > 0 ? { used_by: [...chain] } : {}),
  };
}
