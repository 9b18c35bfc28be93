/** A changed file as people read it: what happened to it, then its patch. */
import type { Schemas } from "@forgeline/client/schemas.ts";

type Changed = Schemas["ChangedFile"] & Partial<Pick<Schemas["FileDiff"], "patch_omitted">>;

/** With an empty line before. */
export function changeLines(file: Changed): string[] {
  const name = file.previous_path === null ? file.path : `${file.previous_path} → ${file.path}`;
  return ["", `${file.status} ${name} (${countOf(file)})`, ...(file.patch?.trimEnd().split("\n") ?? [])];
}

function countOf({ binary, additions, deletions, patch_omitted: omitted }: Changed): string {
  if (binary) return "binary";
  if (additions === null) return "too large to compare";
  return `+${additions} -${deletions ?? 0}${omitted === "too_large" ? ", too large to show" : ""}`;
}
