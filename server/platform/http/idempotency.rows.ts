/** Made by `node scripts/generate-rows.ts` from the statements of idempotency.store.ts; do not edit. */

export interface IdempotencyRows {
  claimKey: {
    "?column?": number;
  };
  findKey: {
    body_hash: Buffer;
    status: number | null;
    headers: Record<string, string> | null;
    body: string | null;
    secret: boolean;
  };
  keepAnswer: never;
  removeUnanswered: never;
  removeOld: never;
}
