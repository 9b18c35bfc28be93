/** Made by `node scripts/generate-rows.ts` from the statements of exceptions.store.ts; do not edit. */

export interface ExceptionsRows {
  exceptionsIn: {
    protection_id: string;
    role: "bypass" | "merge" | "push";
    username: string | null;
    team: string | null;
    visible: boolean | null;
  };
  findUsers: {
    id: string;
    name: string;
    can_write: boolean;
  };
  findTeams: {
    id: string;
    name: string;
  };
  deleteUsers: never;
  insertUsers: never;
  deleteTeams: never;
  insertTeams: never;
  deleteNamedUsers: never;
  insertNamedUsers: never;
  deleteNamedTeams: never;
  insertNamedTeams: never;
}
