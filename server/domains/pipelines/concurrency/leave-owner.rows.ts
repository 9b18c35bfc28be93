/** Made by `node scripts/generate-rows.ts` from the statements of leave-owner.store.ts; do not edit. */

export interface LeaveOwnerRows {
  findAstray: {
    repositoryId: string;
  };
  groupsAstray: {
    ownerId: string;
    group: string;
  };
  move: never;
  leave: {
    id: string;
    node: "job" | "pipeline" | "stage";
    nodeId: string;
    pipelineId: string;
    repositoryId: string;
    sequence: number;
    reason: string | null;
  };
}
