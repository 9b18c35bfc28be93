/** Made by `node scripts/generate-rows.ts` from the statements of tickets.store.ts; do not edit. */

export interface TicketsRows {
  insertTicket: {
    expires_at: Date;
  };
  takeTicket: {
    actor: unknown;
  };
  isLeased: {
    "?column?": number;
  };
  isCredentialValid: {
    "?column?": number;
  };
}
