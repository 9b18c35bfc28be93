/** Pipelines of a project by the names that people call them: `main` for `.forgeline/main.yml`. */
import { directory, singleFile } from "@forgeline/compiler/choose-files.ts";

/** The one of that name; without a name, the only one. */
export function nameAmong(files: readonly string[], wanted: string | undefined): string | null {
  if (wanted === undefined) return files.length === 1 ? (files[0] ?? null) : null;
  return files.find((file) => file.replace(/^\.forgeline\//, "").replace(/\.ya?ml$/, "") === wanted) ?? null;
}

/** Why none of the files is meant, with those that there are. */
export function whyNone(root: string, files: readonly string[], wanted: string | undefined): string {
  const choice = `Pipelines here: ${files.join(", ")}.`;
  if (files.length === 0) return `${root} has no ${singleFile} and no ${directory}/*.yml`;
  if (wanted === undefined) return `there are several pipelines; name one. ${choice}`;
  return `no pipeline is named ${wanted}. ${choice}`;
}
