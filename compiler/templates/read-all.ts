/** Compiles a file that uses templates: reads what it names, then what these name, until nothing is missing. */
import type { Compiled, CompileInput } from "../compile.ts";
import type { TemplateFiles } from "./library.ts";

export interface CompileSteps<Result extends Pick<Compiled, "missing"> | undefined> {
  compile(input: CompileInput): Promise<Result>;
  /** By their keys; every key that is asked for must be in the answer. */
  read(keys: readonly string[]): Promise<TemplateFiles>;
}

/** Ends, since templates nest no deeper than the limit. Gives also what was read. */
export async function compileReading<Result extends Pick<Compiled, "missing"> | undefined>(
  input: Omit<CompileInput, "templates">,
  { compile, read }: CompileSteps<Result>,
): Promise<{ compiled: Result; templates: TemplateFiles }> {
  let templates: TemplateFiles = {};
  for (;;) {
    const compiled = await compile({ ...input, templates });
    const missing = compiled?.missing ?? [];
    if (missing.length === 0) return { compiled, templates };
    templates = { ...templates, ...(await read(missing)) };
  }
}
