/** The placement of a stage as REST shows it. Pure. */
import type { RunStage } from "@forgeline/schemas/pipelines/resource.ts";

export interface PlacementColumns {
  placement_shared: boolean | null;
  placement_lost: boolean | null;
  placement_runner_id: string | null;
  placement_runner: string | null;
}

export function presentPlacement(row: PlacementColumns): RunStage["placement"] {
  if (row.placement_shared === null) return null;
  const { placement_runner_id: id, placement_runner: name } = row;
  return {
    runner: id === null || name === null ? null : { id, name },
    shares_workspace: row.placement_shared,
    lost: row.placement_lost ?? false,
  };
}
