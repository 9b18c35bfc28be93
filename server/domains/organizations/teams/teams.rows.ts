/** Made by `node scripts/generate-rows.ts` from the statements of teams.store.ts; do not edit. */

export interface TeamsRows {
  findTeam: {
    id: string;
    organization: string;
    name: string;
    path: string;
    lineage: string[];
    description: string;
    secret: boolean;
    created_at: Date;
    updated_at: Date;
  };
  findTeams: {
    id: string;
    organization: string;
    name: string;
    path: string;
    lineage: string[];
    description: string;
    secret: boolean;
    created_at: Date;
    updated_at: Date;
  };
  listTeams: {
    id: string;
    organization: string;
    name: string;
    path: string;
    lineage: string[];
    description: string;
    secret: boolean;
    created_at: Date;
    updated_at: Date;
  };
  insertTeam: {
    id: string;
  };
  updateSettings: never;
  findOtherAt: {
    id: string;
  };
  deepestLevel: {
    deepest: number | null;
  };
  renameTeam: never;
  moveTeams: never;
  deleteTeam: {
    id: string;
    path: string;
  };
}
