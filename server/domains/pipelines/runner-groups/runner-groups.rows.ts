/** Made by `node scripts/generate-rows.ts` from the statements of runner-groups.store.ts; do not edit. */

export interface RunnerGroupsRows {
  findGroup: {
    id: string;
    name: string;
    description: string;
    access: "all" | "selected";
    organization_id: string | null;
    organization: string | null;
    created_at: Date;
    updated_at: Date;
    ownerNames: string[];
    repositoryNames: string[];
    runners: number;
  };
  listGroups: {
    id: string;
    name: string;
    description: string;
    access: "all" | "selected";
    organization_id: string | null;
    organization: string | null;
    created_at: Date;
    updated_at: Date;
    ownerNames: string[];
    repositoryNames: string[];
    runners: number;
  };
  holdPlace: {
    pg_advisory_xact_lock: string | null;
  };
  countGroups: {
    count: number;
  };
  isTaken: {
    id: string;
  };
  insertGroup: never;
  changeGroup: never;
  changeAccess: never;
  clearEntries: never;
  insertEntries: never;
  findOwners: {
    id: string;
    name: string;
  };
  findRepositories: {
    id: string;
    name: string;
  };
  lockTokens: {
    id: string;
  };
  lockGroup: {
    id: string;
  };
  holdGroup: {
    id: string;
    name: string;
  };
  hasRunners: {
    id: string;
  };
  deleteGroup: never;
  forgetRepository: never;
}
