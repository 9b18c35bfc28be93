/** Made by `node scripts/generate-rows.ts` from the statements of queues.store.ts; do not edit. */

export interface QueuesRows {
  claim: {
    repository_id: string;
    branch: string;
    paused_at: Date | null;
    looks: number;
    wanted: number;
    may_move: boolean | null;
  };
  later: never;
  rest: never;
  hold: {
    looks: number;
  };
  isHeld: {
    looks: number;
  };
  want: never;
  findQueue: {
    paused_at: Date | null;
    paused_by_person: unknown;
  };
  pause: {
    branch: string;
  };
  resume: {
    branch: string;
  };
  branchesInUse: {
    branch: string;
  };
  listBatches: {
    id: string;
    repository_id: string;
    branch: string;
    state: "landing" | "testing";
    base_sha: string;
    sha: string;
    size: number;
    pipeline_ids: string[];
    created_at: Date;
    place: number;
  };
  insertBatch: never;
  moveBatch: {
    id: string;
  };
  deleteBatch: never;
}
