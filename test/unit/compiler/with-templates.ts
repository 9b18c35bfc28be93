/** Compiles files with templates that are given as texts. */
import { compile } from "@forgeline/compiler/compile.ts";
import type { TemplateFiles } from "@forgeline/compiler/templates/library.ts";

export const file = ".forgeline.yml";
export function compiled(text: string, templates: Record<string, string | TemplateFiles[string]> = {}) {
  const files = Object.entries(templates).map(([key, given]) => [
    key,
    typeof given === "string" ? { text: given } : given,
  ]);
  return compile({ file, text, templates: Object.fromEntries(files) as TemplateFiles });
}
export const stepOf = (uses: string, rest = "") => `image: a\nsteps: [{ uses: "${uses}"${rest} }]`;
export const own = "./t.yml";
export const told = (text: string, templates: Parameters<typeof compiled>[1]) =>
  compiled(text, templates).diagnostics.map(
    ({ code, file: at, line, column, message }) => `${at}:${line}:${column} ${code} ${message}`,
  );
