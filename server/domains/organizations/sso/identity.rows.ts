/** Made by `node scripts/generate-rows.ts` from the statements of identity.store.ts; do not edit. */

export interface IdentityRows {
  findIdentity: {
    id: string;
    organization_id: string;
    user_id: string;
    issuer: string;
    subject: string;
    last_used_at: Date | null;
    created_at: Date;
    organization: string;
    username: string;
  };
  insertIdentity: {
    id: string;
  };
  markUsed: {
    id: string;
  };
  listOfOrganization: {
    id: string;
    organization_id: string;
    user_id: string;
    issuer: string;
    subject: string;
    last_used_at: Date | null;
    created_at: Date;
    organization: string;
    username: string;
  };
  listOfUser: {
    id: string;
    organization_id: string;
    user_id: string;
    issuer: string;
    subject: string;
    last_used_at: Date | null;
    created_at: Date;
    organization: string;
    username: string;
  };
  lockIdentity: {
    id: string;
    organization_id: string;
    user_id: string;
    issuer: string;
    subject: string;
    last_used_at: Date | null;
    created_at: Date;
    organization: string;
    username: string;
  };
  deleteIdentity: never;
  deleteIdentities: {
    id: string;
  };
}
