/** Made by `node scripts/generate-rows.ts` from the statements of settings.store.ts; do not edit. */

export interface SettingsRows {
  settingsOf: {
    user_id: string;
    mail_participating: boolean;
    mail_watching: boolean;
    email_id: string | null;
    digest: "daily" | "hourly" | "immediately";
    digest_at: string;
    time_zone: string;
    quiet_from: string | null;
    quiet_to: string | null;
    quiet_days: string[];
    auto_watch: boolean;
    has_address: boolean;
  };
  lock: {
    id: string;
  };
  put: never;
  turnOff: never;
  findAddress: {
    id: string;
  };
}
