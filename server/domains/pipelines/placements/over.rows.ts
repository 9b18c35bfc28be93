/** Made by `node scripts/generate-rows.ts` from the statements of over.store.ts; do not edit. */

export interface OverRows {
  endDone: never;
  findLost: {
    id: string;
  };
  findForgotten: {
    id: string;
  };
  lockRun: never;
  lose: {
    id: string;
  };
  readLost: {
    stageId: string;
    sequence: number;
    shared: boolean;
    repositoryId: string;
    hasBegun: boolean;
  };
  lockQueued: {
    id: string;
  };
  movePlaced: never;
}
