/** What `forgeline codeowners check` found, for people. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { colors } from "../../output/colors.ts";
import { terminalSafe } from "../../output/terminal-safe.ts";

/** `unchecked`: why owners were not looked up; null where they were. */
export type CheckedFile = Schemas["CodeOwnersCheck"] & { path: string; unchecked: string | null };

export function renderCheck({ path, total, errors, unchecked }: CheckedFile): string {
  const name = terminalSafe(path);
  const mark = total === 0 ? colors.green("✓") : colors.red("✗");
  const count = total === 0 ? "no errors" : `${total} ${total === 1 ? "error" : "errors"}`;
  const rest = total - errors.length;
  return [
    ...errors.map((error) => `${renderError(name, error)}\n`),
    ...(rest > 0 ? [`and ${rest} more\n`] : []),
    `${mark} ${name}: ${count}`,
    ...(unchecked === null ? [] : [`Owners were not looked up: ${terminalSafe(unchecked)}`]),
  ].join("\n");
}

function renderError(name: string, error: Schemas["CodeOwnersError"]): string {
  const { line, column, message, suggestion, source } = error;
  const hint = suggestion === null ? "" : ` (did you mean ${terminalSafe(suggestion)}?)`;
  const before = terminalSafe(source.slice(0, column - 1)).replaceAll(/\S/gu, " ");
  return [
    `${name}:${line}:${column}: ${terminalSafe(message)}${hint}`,
    `  ${terminalSafe(source)}`,
    ...(column > source.length ? [] : [`  ${before}${colors.red("^")}`]),
  ].join("\n");
}
