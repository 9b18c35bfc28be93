/** A diagnostic as text: place, code, message, the line it is about with carets and the hint, and where help is. */
import type { Diagnostic } from "@forgeline/schemas/pipeline-file/diagnostic.ts";
import { createSource } from "./source.ts";

export type Colour = (style: "error" | "warning" | "dim" | "bold", text: string) => string;

export interface RenderOptions {
  /** Text of the file; without it the excerpt is left out. */
  text?: string;
  /** `{docs_url}`, without a slash at the end. */
  docsUrl: string;
  colour?: Colour;
}

const plain: Colour = (_style, text) => text;
const excerptWidth = 160;

/** Lines without a line break at the end. Control characters of the file are made harmless for terminals. */
export function renderDiagnostic(diagnostic: Diagnostic, options: RenderOptions): string {
  const colour = options.colour ?? plain;
  const { file, line, column, severity, code, message, used_by: places = [] } = diagnostic;
  const place = colour("bold", `${harmless(file)}:${line}:${column}:`);
  const lines = [`${place} ${colour(severity, `${severity}[${code}]`)}: ${harmless(message)}`];
  // The text is that of the pipeline file, and not of a template.
  if (options.text === undefined || places.length > 0) {
    if (diagnostic.hint !== null) lines.push(`      = hint: ${harmless(diagnostic.hint)}`);
  } else lines.push(...excerpt(diagnostic, createSource(file, options.text).line(line), colour));
  for (const place of places.toReversed())
    lines.push(`      = used by ${harmless(place.file)}:${place.line}:${place.column}`);
  lines.push(`      ${colour("dim", `= help: ${options.docsUrl}${diagnostic.docs}`)}`);
  return lines.join("\n");
}

/** All of them, a blank line between, and the count at the end. */
export function renderDiagnostics(diagnostics: readonly Diagnostic[], options: RenderOptions): string {
  const errors = diagnostics.filter((one) => one.severity === "error").length;
  const warnings = diagnostics.length - errors;
  const counts = [counted(errors, "error"), counted(warnings, "warning")].filter((text) => text !== "");
  const blocks = diagnostics.map((diagnostic) => renderDiagnostic(diagnostic, options));
  return [...blocks, counts.join(", ") || "no errors"].join("\n\n");
}

function counted(count: number, word: string): string {
  return count === 0 ? "" : `${count} ${word}${count === 1 ? "" : "s"}`;
}

function excerpt(diagnostic: Diagnostic, sourceLine: string, colour: Colour): string[] {
  const { line, column, end_line: endLine, end_column: endColumn, hint, severity } = diagnostic;
  const from = Math.max(0, column - 1 - excerptWidth / 2);
  const cut = sourceLine.slice(from, from + excerptWidth);
  const shown = `${from > 0 ? "…" : ""}${harmless(cut)}${sourceLine.length > from + excerptWidth ? "…" : ""}`;
  const indent = column - 1 - from + (from > 0 ? 1 : 0);
  const lastColumn = endLine > line ? sourceLine.length + 1 : endColumn;
  const width = Math.max(1, Math.min(lastColumn - column, shown.length - indent));
  const marks = colour(severity, `${"^".repeat(width)}${hint === null ? "" : ` ${harmless(hint)}`}`);
  const number = String(line).padStart(5);
  return [
    `${colour("dim", `${number} |`)} ${shown}`.trimEnd(),
    `      ${colour("dim", "|")} ${" ".repeat(indent)}${marks}`,
  ];
}

/** One column stays one column, so that carets stand right. */
function harmless(text: string): string {
  return text.replace(/\t/g, " ").replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "\u{fffd}");
}
