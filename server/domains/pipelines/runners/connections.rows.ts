/** Made by `node scripts/generate-rows.ts` from the statements of connections.store.ts; do not edit. */

export interface ConnectionsRows {
  findByCredential: {
    id: string;
    name: string;
    repositoryId: string | null;
    organizationId: string | null;
    revoked: boolean;
  };
  occupy: {
    connectedAt: string | null;
    serverTimeMs: number;
    labels: string[];
    mustName: string[];
    groupId: string | null;
    capacity: number;
    paused: boolean;
    draining: boolean;
    drainDeadline: string | null;
    drainMs: number | null;
  };
  releaseConnection: never;
  noteDuplicate: {
    instance: string | null;
    hostname: string;
  };
  setAgentDraining: never;
  saveEgress: never;
  findConnections: {
    id: string;
    serverId: string | null;
    connectedAt: string | null;
    revoked: boolean;
    paused: boolean;
    draining: boolean;
    drainDeadline: string | null;
    drainMs: number | null;
    labels: string[];
    mustName: string[];
    groupId: string | null;
    capacity: number;
  };
  countConnected: {
    online: number;
    offline: number;
  };
}
