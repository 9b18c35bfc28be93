/** Made by `node scripts/generate-rows.ts` from the statements of invitations.store.ts; do not edit. */

export interface InvitationsRows {
  findInviting: {
    source_branch: string;
    repository_id: string;
    author_id: string;
    number: number;
    full_name: string;
  };
  setEdits: {
    id: string;
  };
}
