/** Made by `node scripts/generate-rows.ts` from the statements of uptime.store.ts; do not edit. */

export interface UptimeRows {
  markUptime: never;
  forgetServer: never;
}
