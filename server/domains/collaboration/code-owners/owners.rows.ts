/** Made by `node scripts/generate-rows.ts` from the statements of owners.store.ts; do not edit. */

export interface OwnersRows {
  findUsers: {
    id: string;
    username: string;
    name: string;
  };
  findTeams: {
    id: string;
    full_name: string;
    name: string;
    visible: boolean | null;
    can_write: boolean;
  };
  judgesTeams: {
    judges: boolean | null;
  };
}
