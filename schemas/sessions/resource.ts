/** Browser sessions. The token of a session is only ever in its cookie. */
import { z } from "zod";
import { idOf } from "../core/ids.ts";
import { timestamp } from "../core/time.ts";
import { oneTimeCode } from "../two-factor/resource.ts";
import { givenPassword } from "../users/resource.ts";

export const Session = z
  .object({
    id: idOf("ses"),
    method: z.enum(["password", "passkey", "sso"]).describe("How the user signed in."),
    ip_address: z.string(),
    user_agent: z.string(),
    current: z.boolean().describe("Whether this request belongs to the session."),
    csrf_token: z
      .string()
      .optional()
      .describe("Only for the session of the request's cookie: the required value of `X-CSRF-Token`."),
    last_seen_at: timestamp.describe("Exact to about a minute."),
    expires_at: timestamp.describe("Extended by use, up to 30 days after the sign-in."),
    url: z.string(),
    web_url: z.string(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "Session" });
export type Session = z.infer<typeof Session>;

export const SignIn = z
  .strictObject({
    username: z.string().min(1).max(254).describe("User name, or a verified e-mail address."),
    password: givenPassword,
    otp: oneTimeCode.optional(),
  })
  .meta({ id: "SignIn", examples: [{ username: "ada", password: "correct horse battery staple" }] });
export type SignIn = z.infer<typeof SignIn>;
