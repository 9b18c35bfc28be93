/** Collects diagnostics: each once, in the order of the file, at most 50, errors before warnings are dropped. */
import type { Diagnostic } from "@forgeline/schemas/pipeline-file/diagnostic.ts";
import type { Code } from "./codes.ts";
import { limits } from "./limits.ts";
import type { Source, Span } from "./source.ts";

export interface Report {
  add(code: Code, span: Span, text: { message: string; hint?: string | null }): void;
  hasErrors(): boolean;
  list(): Diagnostic[];
}

export function createReport(source: Source): Report {
  const found = new Map<string, Diagnostic>();
  let errors = 0;
  return {
    add(code, span, { message, hint = null }) {
      const diagnostic = locate(source, { code, span, message, hint });
      const key = `${code}:${span.start}:${message}`;
      if (found.has(key)) return;
      found.set(key, diagnostic);
      if (diagnostic.severity === "error") errors += 1;
    },
    hasErrors: () => errors > 0,
    list() {
      const errorsFirst = [...found.values()].sort((a, b) => a.severity.localeCompare(b.severity));
      return errorsFirst.slice(0, limits.diagnostics).sort(inFileOrder);
    },
  };
}

function inFileOrder(a: Diagnostic, b: Diagnostic): number {
  return a.line - b.line || a.column - b.column || a.code.localeCompare(b.code);
}

function locate(
  source: Source,
  { code, span, message, hint }: { code: Code; span: Span; message: string; hint: string | null },
): Diagnostic {
  const start = source.position(span.start);
  const end = source.position(Math.max(span.end, span.start));
  return {
    code,
    severity: code.startsWith("W") ? "warning" : "error",
    file: source.file,
    line: start.line,
    column: start.column,
    end_line: end.line,
    end_column: end.column,
    message,
    hint,
    docs: `/pipelines/errors#${code}`,
  };
}
