/** Made by `node scripts/generate-rows.ts` from the statements of recovery.store.ts; do not edit. */

export interface RecoveryRows {
  findLeft: {
    id: string;
    pipelineId: string;
    nodeId: string;
  };
  findIdle: {
    ownerId: string;
    group: string;
  };
  countSlots: {
    state: "expected" | "held" | "superseded" | "waiting";
    count: number;
  };
}
