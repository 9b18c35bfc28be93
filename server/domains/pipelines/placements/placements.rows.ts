/** Made by `node scripts/generate-rows.ts` from the statements of placements.store.ts; do not edit. */

export interface PlacementsRows {
  lockOpen: {
    id: string;
    state: "chosen" | "held" | "open" | "over";
    runnerId: string | null;
  };
  insert: never;
  hasRunElsewhere: {
    hasRun: boolean;
  };
  lastRunner: {
    name: string;
  };
  choose: {
    runnerId: string | null;
    isNew: boolean;
  };
  isTurnTaken: {
    taken: boolean;
  };
  relabelQueued: never;
  reopen: {
    id: string;
  };
  begin: never;
  findApart: {
    id: string;
  };
  findReleasable: {
    id: string | null;
  };
}
