/** Made by `node scripts/generate-rows.ts` from the statements of settings.store.ts; do not edit. */
import type { InstanceSettings } from "@forgeline/schemas/instance/routes.ts";

export interface SettingsRows {
  readSignUp: {
    value: InstanceSettings["sign_up"];
  };
  writeSignUp: never;
}
