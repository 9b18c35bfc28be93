/** Made by `node scripts/generate-rows.ts` from the statements of two-factor.store.ts; do not edit. */

export interface TwoFactorRows {
  findTwoFactor: {
    sealed_secret: Buffer;
    sealed_recovery_key: Buffer | null;
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
  storeRecoveryKey: never;
  deleteRecoveryCodes: never;
  insertRecoveryCodes: never;
  countByKey: {
    mark: string;
    count: number;
  };
  lockOfOtherKeys: {
    id: string;
    sealed_secret: Buffer;
    sealed_recovery_key: Buffer | null;
  };
  replaceSealed: never;
  deleteTwoFactor: {
    "?column?": number;
  };
}
