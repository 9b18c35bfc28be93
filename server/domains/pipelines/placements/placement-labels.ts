/**
 * Labels that lead jobs of a stage to one runner. Claims compare them like others, but nobody can give them to a runner: labels of
 * runners do not begin with @. An attempt has at most one, which in the order of "C" stands at one place whichever it is.
 */

export const placementPrefix = "@on:";

/** Of runners that can have placements; asked for by jobs whose stage has no runner yet. */
export const anyPlacement = `${placementPrefix}any`;

/** Asked for by jobs whose stage has this runner. */
export function placementLabel(runnerId: string): string {
  return `${placementPrefix}${runnerId}`;
}

/** What a runner has by itself; older ones do not know placements. */
export function ownLabels(runnerId: string, knowsPlacements: boolean): string[] {
  return knowsPlacements ? [placementLabel(runnerId), anyPlacement] : [];
}

/** As people wrote them. */
export function withoutPlacement(labels: readonly string[]): string[] {
  return labels.filter((label) => !label.startsWith(placementPrefix));
}

/** How many placements a runner has for each slot before it is not chosen for another one: each may hold a workspace. */
export const placementsPerSlot = 8;
