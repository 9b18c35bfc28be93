/** Which runs are wanted, as it stands in the address: one can be sent to somebody else. */
import { runSources } from "@forgeline/client/generated/choices.ts";
import { statuses } from "@forgeline/client/generated/statuses.ts";

export interface PipelineFilters {
  status?: (typeof statuses)[number];
  event?: (typeof runSources)[number];
  pipeline?: string;
  ref?: string;
  actor?: string;
}

export const filterNames = ["status", "event", "pipeline", "ref", "actor"] as const;

/** What the server would refuse is left out. */
export function filtersOf(query: URLSearchParams): PipelineFilters {
  const status = statuses.find((known) => known === query.get("status"));
  const event = runSources.find((known) => known === query.get("event"));
  const pipeline = query.get("pipeline")?.trim();
  const ref = query.get("ref")?.trim();
  const actor = query.get("actor")?.trim();
  return {
    ...(status ? { status } : {}),
    ...(event ? { event } : {}),
    ...(pipeline ? { pipeline } : {}),
    ...(ref ? { ref } : {}),
    ...(actor ? { actor } : {}),
  };
}

/** The address's query after a filter has changed: from the first page on. */
export function withFilter(query: URLSearchParams, name: string, value: string): URLSearchParams {
  const next = new URLSearchParams(query);
  if (value.trim() === "") next.delete(name);
  else next.set(name, value.trim());
  next.delete("page");
  return next;
}
