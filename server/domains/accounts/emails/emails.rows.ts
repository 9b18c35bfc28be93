/** Made by `node scripts/generate-rows.ts` from the statements of emails.store.ts; do not edit. */

export interface EmailsRows {
  countEmails: {
    total: number;
  };
  listEmails: {
    id: string;
    email: string;
    verified_at: Date | null;
    created_at: Date;
    is_primary: boolean;
  };
  findEmail: {
    id: string;
    email: string;
    verified_at: Date | null;
    created_at: Date;
    is_primary: boolean;
  };
  insertEmail: {
    id: string;
    email: string;
    verified_at: Date | null;
    created_at: Date;
    is_primary: boolean;
  };
  deleteEmail: never;
  requestMail: never;
  takeMailRequest: {
    kind: "reset_password" | "verify_email";
    address: string;
    email_id: string | null;
    too_many: boolean;
  };
  findVerifiedOwner: {
    user_id: string;
    username: string;
    email_id: string;
    email: string;
  };
  findEmailOwner: {
    user_id: string;
    username: string;
    email_id: string;
    email: string;
  };
  markVerified: {
    email: string;
    primary: string;
  };
  deleteAccountToken: never;
  insertAccountToken: never;
  findAccountToken: {
    user_id: string;
    username: string;
    email_id: string | null;
  };
  useAccountToken: {
    user_id: string;
    username: string;
    email_id: string | null;
  };
  deleteAccountTokens: never;
}
