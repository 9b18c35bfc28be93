/** Limits of pipelines, for people. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { renderTable } from "./table.ts";

export function pipelineLimitsTable(limits: readonly Schemas["PipelineLimit"][]): string {
  const rows = limits.map(({ name, value, set_by: setBy, default: standard, lowest, highest }) => [
    name,
    String(value),
    setBy,
    String(standard),
    `${lowest} to ${highest}`,
  ]);
  return renderTable(["LIMIT", "HOLDS", "SET BY", "DEFAULT", "CAN BE"], rows);
}
