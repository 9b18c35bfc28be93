/** The settings of accounts: who may make one, and by which mails they are reached. */
import { z } from "zod";
import { optionalText, secretOf } from "./setting-kinds.ts";

export const accountSettings = {
  FORGELINE_ADMIN_PASSWORD: optionalText("Password for `create-admin`, instead of standard input. Secret."),
  FORGELINE_SIGN_UP: z
    .enum(["open", "closed"])
    .optional()
    .describe(
      "Whether anybody may make an account. Set here it cannot be changed over REST; unset and not changed there: only on an instance reached as `localhost`, from the machine itself.",
    ),
  FORGELINE_SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\//, "must be smtp://[USER:PASSWORD@]HOST:PORT or smtps://…")
    .optional()
    .describe(
      "Mail server; with user and password TLS is required. Unset: mails wait in the outbox, which administrators read. Secret.",
    ),
  FORGELINE_MAIL_FROM: z
    .string()
    .regex(/^[^\s@<>,;]+@[^\s@<>,;]+$/, "must be one address")
    .optional()
    .describe("Sender of mails; default `forgeline@HOST`."),
  FORGELINE_GEOIP_FILE: optionalText(
    "Database of places in MaxMind's format (GeoLite2 City or the like): audit entries then say where an address is.",
  ),
};

export function toAccounts(env: z.infer<z.ZodObject<typeof accountSettings>>) {
  return {
    adminPassword: secretOf(env.FORGELINE_ADMIN_PASSWORD),
    signUp: env.FORGELINE_SIGN_UP,
    mail: { smtpUrl: secretOf(env.FORGELINE_SMTP_URL), from: env.FORGELINE_MAIL_FROM },
    geoipFile: env.FORGELINE_GEOIP_FILE,
  };
}
