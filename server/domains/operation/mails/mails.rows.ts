/** Made by `node scripts/generate-rows.ts` from the statements of mails.store.ts; do not edit. */

export interface MailsRows {
  insertMail: never;
  insertLateMail: never;
  countMails: {
    total: number;
  };
  listMails: {
    id: string;
    kind: string;
    to_address: string;
    subject: string;
    sealed_text: Buffer | null;
    attempts: number;
    error: string | null;
    sent_at: Date | null;
    failed_at: Date | null;
    created_at: Date;
  };
  findMail: {
    id: string;
    kind: string;
    to_address: string;
    subject: string;
    sealed_text: Buffer | null;
    attempts: number;
    error: string | null;
    sent_at: Date | null;
    failed_at: Date | null;
    created_at: Date;
  };
  deleteOldMails: never;
  countByKey: {
    mark: string;
    count: number;
  };
  lockOfOtherKeys: {
    id: string;
    sealed_text: Buffer;
  };
  replaceTexts: never;
  lockDueMail: {
    id: string;
    kind: string;
    to_address: string;
    subject: string;
    sealed_text: Buffer | null;
    attempts: number;
    error: string | null;
    sent_at: Date | null;
    failed_at: Date | null;
    created_at: Date;
  };
  lockDueLateMail: {
    id: string;
    kind: string;
    to_address: string;
    subject: string;
    sealed_text: Buffer | null;
    attempts: number;
    error: string | null;
    sent_at: Date | null;
    failed_at: Date | null;
    created_at: Date;
  };
  deleteMail: never;
  markSent: never;
  markFailed: never;
}
