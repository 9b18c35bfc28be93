/** Made by `node scripts/generate-rows.ts` from the statements of maintenance.store.ts; do not edit. */

export interface MaintenanceRows {
  findMaintenance: {
    repository: string;
    state: "damaged" | "failed" | "idle" | "running" | "waiting";
    requested_at: Date | null;
    maintained_at: Date | null;
    repacked_at: Date | null;
    pruned_at: Date | null;
    checked_at: Date | null;
    problem: string | null;
    damage: string[];
    loose_objects: number;
    packs: number;
  };
  listMaintenance: {
    repository: string;
    state: "damaged" | "failed" | "idle" | "running" | "waiting";
    requested_at: Date | null;
    maintained_at: Date | null;
    repacked_at: Date | null;
    pruned_at: Date | null;
    checked_at: Date | null;
    problem: string | null;
    damage: string[];
    loose_objects: number;
    packs: number;
  };
  insertRequest: never;
  findDue: {
    id: string;
  };
  beginMaintenance: {
    requested_at: Date | null;
    prune: boolean;
    everything_is_due: boolean;
    check_is_due: boolean;
  };
  holdPushes: never;
  findPush: {
    busy: boolean;
  };
  resumePushes: never;
  endMaintenance: never;
  recordGivenUp: never;
  recordDamage: never;
  countDamaged: {
    damaged: number;
  };
}
