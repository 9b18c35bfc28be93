/** Addresses of e-mail, and what is proved by reading there. */
import { z } from "zod";
import { idOf } from "../core/ids.ts";
import { timestamp } from "../core/time.ts";
import { emailAddress, newPassword } from "../users/resource.ts";

export const Email = z
  .object({
    id: idOf("eml"),
    email: z.string(),
    verified: z.boolean(),
    primary: z.boolean().describe("The one that the user has in `email`, and where mails go."),
    url: z.string(),
    web_url: z.string(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "Email" });
export type Email = z.infer<typeof Email>;

export const EmailCreate = z
  .strictObject({ email: emailAddress })
  .meta({ id: "EmailCreate", examples: [{ email: "ada@analytical.example.org" }] });
export const EmailUpdate = z
  .strictObject({ primary: z.literal(true).describe("Only a verified address can become the primary one.") })
  .meta({ id: "EmailUpdate", examples: [{ primary: true }] });

const mailedToken = z.string().min(1).max(200).describe("From the mail; can be used once.");
export const EmailVerification = z.strictObject({ token: mailedToken }).meta({
  id: "EmailVerification",
  examples: [{ token: "svc_once_3q2-7wAAfR0kZlQyVb8nXcJm5sT1uHdGpE4iOaYrLxU" }],
});
export const PasswordResetRequest = z
  .strictObject({ email: emailAddress })
  .meta({ id: "PasswordResetRequest", examples: [{ email: "ada@example.org" }] });
export const PasswordReset = z.strictObject({ token: mailedToken, password: newPassword }).meta({
  id: "PasswordReset",
  examples: [
    {
      token: "svc_once_3q2-7wAAfR0kZlQyVb8nXcJm5sT1uHdGpE4iOaYrLxU",
      password: "correct horse battery staple",
    },
  ],
});
