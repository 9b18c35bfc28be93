/** The settings of accounts: who may make one, and by which mails they are reached. */
import { z } from "zod";
import { optionalText, secretOf } from "./setting-kinds.ts";

export const accountSettings = {
  FORGELINE_ADMIN_PASSWORD: optionalText("Password for `create-admin`, instead of standard input. Secret."),
  FORGELINE_SIGN_UP: z
    .enum(["open", "closed"])
    .optional()
    .describe(
      "Whether anybody can create an account. If it is set here, it cannot be changed over REST. If it is set nowhere, accounts can be created only on an instance reached as `localhost`, from the machine itself.",
    ),
  FORGELINE_SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\//, "must be smtp://[USER:PASSWORD@]HOST:PORT or smtps://…")
    .optional()
    .describe(
      "URL of the mail server; TLS is required with a user and password. Unset: mails wait in the queue, where administrators can read them. Secret.",
    ),
  FORGELINE_MAIL_FROM: z
    .string()
    .regex(/^[^\s@<>,;]+@[^\s@<>,;]+$/, "must be one address")
    .optional()
    .describe("Sender of mails; default `forgeline@HOST`."),
  FORGELINE_GEOIP_FILE: optionalText(
    "Database of locations in MaxMind's format, such as GeoLite2 City: audit entries then say where an address is.",
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
