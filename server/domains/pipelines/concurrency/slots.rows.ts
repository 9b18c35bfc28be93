/** Made by `node scripts/generate-rows.ts` from the statements of slots.store.ts; do not edit. */

export interface SlotsRows {
  lockGroups: {
    pg_advisory_xact_lock: string | null;
  };
  findOwner: {
    repositoryId: string;
    organizationId: string | null;
    allowed: boolean;
  };
  readOfRun: {
    id: string;
    nodeId: string;
    ownerId: string;
    group: string;
    scope: "org" | "repo";
    state: "expected" | "held" | "superseded" | "waiting";
    reason: string | null;
  };
  expect: never;
  countIn: never;
  ask: {
    id: string;
  };
  supersede: {
    id: string;
    node: "job" | "pipeline" | "stage";
    nodeId: string;
    pipelineId: string;
    repositoryId: string;
    sequence: number;
    reason: string | null;
  };
  grantNext: {
    id: string;
    node: "job" | "pipeline" | "stage";
    nodeId: string;
    pipelineId: string;
    repositoryId: string;
    sequence: number;
    reason: string | null;
    scope: "org" | "repo";
    waitedSeconds: number | null;
  };
  groupsOfNodes: {
    ownerId: string;
    group: string;
  };
  endOfNodes: never;
  readSuperseded: {
    node: "job" | "pipeline" | "stage";
    nodeId: string;
    superseded: string;
  };
}
