/** Imports in words. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { renderFields } from "../../output/fields.ts";

export type Import = Schemas["Import"];

export function hasEnded({ finished_at: at }: Import): boolean {
  return at !== null;
}

export function renderImport(shown: Import): string {
  const { progress } = shown;
  return renderFields([
    ["id", shown.id],
    ["from", `${shown.source} ${shown.source_repository}${shown.from_archive ? " (an export)" : ""}`],
    ["to", shown.repository],
    ["state", shown.resumes_at === null ? shown.state : `${shown.state} until ${shown.resumes_at}`],
    ["step", shown.step],
    ["error", shown.error ?? "none"],
    ...Object.entries(progress).map(([kind, count]) => [kind.replaceAll("_", " "), String(count)] as const),
    [
      "left out or changed",
      shown.left_out === 0 ? "nothing" : `${shown.left_out}: forgeline import report ${shown.id}`,
    ],
    ...(shown.number_offset === 0
      ? []
      : [["merge requests", `!1 there is !${shown.number_offset + 1} here`] as const]),
    ["page", shown.web_url],
  ]);
}
