/** Made by `node scripts/generate-rows.ts` from the statements of invitations.store.ts; do not edit. */

export interface InvitationsRows {
  listInvitations: {
    id: string;
    organization_id: string;
    organization: string;
    user_id: string;
    username: string;
    role: "member" | "owner";
    invited_by: string | null;
    created_at: Date;
    expires_at: Date;
  };
  findInvitation: {
    id: string;
    organization_id: string;
    organization: string;
    user_id: string;
    username: string;
    role: "member" | "owner";
    invited_by: string | null;
    created_at: Date;
    expires_at: Date;
  };
  deleteExpired: never;
  insertInvitation: {
    id: string;
  };
  deleteInvitation: {
    id: string;
  };
  dropInvitation: never;
}
