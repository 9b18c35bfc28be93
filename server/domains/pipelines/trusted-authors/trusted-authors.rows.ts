/** Made by `node scripts/generate-rows.ts` from the statements of trusted-authors.store.ts; do not edit. */

export interface TrustedAuthorsRows {
  list: {
    id: string;
    username: string;
    by_id: string | null;
    by_username: string | null;
    trusted_at: Date;
    expires_at: Date;
  };
  put: never;
  findUsername: {
    username: string;
  };
  remove: {
    id: string;
    username: string;
  };
}
