/** The second factor: codes that an app computes every half minute, and recovery codes for when it is lost. */
import { z } from "zod";
import { timestamp } from "../core/time.ts";
import { givenPassword } from "../users/resource.ts";

export const TwoFactor = z
  .object({
    enabled: z.boolean(),
    enabled_at: timestamp.nullable(),
    recovery_codes_left: z.number().int(),
  })
  .meta({ id: "TwoFactor" });
export type TwoFactor = z.infer<typeof TwoFactor>;

export const TwoFactorSecret = z
  .object({
    secret: z.string().describe("Base32, for typing into an app."),
    uri: z.string().describe("`otpauth://` URL, to be shown as a QR code."),
  })
  .meta({ id: "TwoFactorSecret" });

export const RecoveryCodes = z
  .object({
    recovery_codes: z.array(z.string()).describe("Each can be used once; they are never shown again."),
  })
  .meta({ id: "RecoveryCodes" });

export const oneTimeCode = z
  .string()
  .min(6)
  .max(20)
  .describe("Six digits from the app, or one of the recovery codes.");

export const PasswordConfirmation = z
  .strictObject({ password: givenPassword })
  .meta({ id: "PasswordConfirmation", examples: [{ password: "correct horse battery staple" }] });
export const TwoFactorConfirmation = z
  .strictObject({ otp: z.string().regex(/^\d{6}$/, "must be six digits") })
  .meta({ id: "TwoFactorConfirmation", examples: [{ otp: "123456" }] });
