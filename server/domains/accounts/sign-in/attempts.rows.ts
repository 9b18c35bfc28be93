/** Made by `node scripts/generate-rows.ts` from the statements of attempts.store.ts; do not edit. */

export interface AttemptsRows {
  isKnown: {
    "?column?": number;
  };
  rememberAddress: never;
  countWhereDue: {
    scope: "account" | "address" | "pair";
  };
  secondsToWait: {
    seconds: number | null;
  };
  forget: never;
  takeBack: never;
}
