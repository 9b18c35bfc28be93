/** Made by `node scripts/generate-rows.ts` from the statements of release-slot.store.ts; do not edit. */

export interface ReleaseSlotRows {
  findOfRepository: {
    id: string;
    state: "expected" | "held" | "superseded" | "waiting";
    scope: "org" | "repo";
    ownerId: string;
    group: string;
    pipelineId: string;
    number: number;
    repository: string;
    isOwners: boolean;
  };
  findOfOrganization: {
    id: string;
    state: "expected" | "held" | "superseded" | "waiting";
    scope: "org" | "repo";
    ownerId: string;
    group: string;
    pipelineId: string;
    number: number;
    repository: string;
    isOwners: boolean;
  };
  endOne: {
    id: string;
  };
}
