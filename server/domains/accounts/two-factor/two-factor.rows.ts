/** Made by `node scripts/generate-rows.ts` from the statements of two-factor.store.ts; do not edit. */

export interface TwoFactorRows {
  findTwoFactor: {
    sealed_secret: Buffer;
    enabled_at: Date | null;
    codes_left: number;
  };
  storeSecret: {
    "?column?": number;
  };
  markEnabled: {
    "?column?": number;
  };
  usePeriod: {
    "?column?": number;
  };
  useRecoveryCode: {
    "?column?": number;
  };
  deleteRecoveryCodes: never;
  insertRecoveryCodes: never;
  deleteTwoFactor: {
    "?column?": number;
  };
}
