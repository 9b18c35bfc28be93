/** Which files of a commit are pipelines: `.forgeline.yml`, or `.forgeline/<name>.yml`, never both. */
import type { Diagnostic } from "@forgeline/schemas/pipeline-file/diagnostic.ts";
import type { Code } from "./codes.ts";
import { atMost, defaultLimits, limitHint } from "./held-limits.ts";
import { limits } from "./limits.ts";

export const singleFile = ".forgeline.yml";
export const directory = ".forgeline";

export interface ChosenFiles {
  /** In alphabetical order; empty when the commit has no pipeline. */
  files: string[];
  diagnostics: Diagnostic[];
}

/** `paths`: all that is known to lie in the commit, at least `.forgeline.yml` and what is in `.forgeline/`. */
export function choosePipelineFiles(paths: readonly string[], limit = defaultLimits.files): ChosenFiles {
  const several = paths.filter((path) => /^\.forgeline\/[^/]+\.ya?ml$/.test(path)).toSorted();
  const single = paths.includes(singleFile);
  if (single && several.length > 0) {
    const message = `${singleFile} and ${several[0]} both exist`;
    const hint = `move ${singleFile} into ${directory}/, or delete the others`;
    return { files: [], diagnostics: [problem("P114", singleFile, { message, hint })] };
  }
  if (several.length > limit.value) {
    const text = { message: `${several.length} pipeline files; ${atMost(limit)}`, hint: limitHint(limit) };
    return { files: [], diagnostics: [problem("P305", several[0] ?? directory, text)] };
  }
  const long = several.find((path) => nameBytes(path) > limits.fileNameBytes);
  if (long !== undefined) {
    const message = `the name of a file in ${directory}/ has ${nameBytes(long)} bytes; at most ${limits.fileNameBytes} are allowed`;
    return {
      files: [],
      diagnostics: [problem("P308", directory, { message, hint: "give it a shorter name" })],
    };
  }
  return { files: single ? [singleFile] : several, diagnostics: [] };
}

function nameBytes(path: string): number {
  return new TextEncoder().encode(path.slice(directory.length + 1)).length;
}

function problem(
  code: Code,
  file: string,
  { message, hint }: { message: string; hint: string | null },
): Diagnostic {
  const place = { line: 1, column: 1, end_line: 1, end_column: 1 };
  return { code, severity: "error", file, ...place, message, hint, docs: `/pipelines/errors#${code}` };
}
