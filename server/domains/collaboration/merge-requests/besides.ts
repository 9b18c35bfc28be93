/** What only a single merge request shows, and lists do not ask for. */
import type { Actor } from "../../../platform/access/actor.ts";
import type { GrantedRepository } from "../../policy/domain.ts";
import type { Closings } from "../references/closings.ts";
import type { MergeRequestRow } from "./merge-requests.store.ts";
import type { MergeRequirements } from "./requirements/service.ts";

export interface BesidesDeps {
  requirements: Pick<MergeRequirements, "standingOf">;
  closings: Pick<Closings, "closedBy">;
}

export async function readBesides(
  { requirements, closings }: BesidesDeps,
  { actor, granted, row }: { actor: Actor; granted: GrantedRepository; row: MergeRequestRow },
) {
  const [standing, closes] = await Promise.all([
    requirements.standingOf(actor, granted, row),
    closings.closedBy(actor, row.id),
  ]);
  return { standing, closes };
}
