/** Limits of pipelines, as the REST interface shows them. */
import { pipelineLimitNames, pipelineLimits } from "@forgeline/schemas/pipeline-limits/limits.ts";
import type { PipelineLimit } from "@forgeline/schemas/pipeline-limits/resource.ts";
import { heldOf } from "./held-limits.ts";
import type { SetLimitRow } from "./pipeline-limits.store.ts";

/** All of them. `stepLogMib`: the default of that one, which the configuration says. */
export function presentLimits(rows: readonly SetLimitRow[], stepLogMib: number): PipelineLimit[] {
  const held = heldOf(rows);
  return pipelineLimitNames.map((name) => {
    const { lowest, highest, default: standard } = pipelineLimits[name];
    const shown = name === "step_log_mib" ? stepLogMib : standard;
    const { value, setBy } = held[name];
    return {
      name,
      value: setBy === "default" ? shown : value,
      set_by: setBy,
      default: shown,
      lowest,
      highest,
    };
  });
}
