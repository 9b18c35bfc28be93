/** Passkeys, and what browsers exchange for them (WebAuthn level 3, its JSON forms). */
import { z } from "zod";
import { displayText } from "../core/display-text.ts";
import { idOf } from "../core/ids.ts";
import { timestamp } from "../core/time.ts";

export const Passkey = z
  .object({
    id: idOf("pky"),
    name: z.string(),
    synced: z.boolean().describe("Whether its provider syncs it to other devices of the user."),
    last_used_at: timestamp.nullable(),
    url: z.string(),
    web_url: z.string(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "Passkey" });
export type Passkey = z.infer<typeof Passkey>;

/** For `navigator.credentials.create`, after `PublicKeyCredential.parseCreationOptionsFromJSON`. */
export const PasskeyCreationOptions = z
  .looseObject({
    challenge: z.string(),
    rp: z.object({ id: z.string().optional(), name: z.string() }),
    user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
    pubKeyCredParams: z.array(z.object({ alg: z.number(), type: z.string() })),
  })
  .meta({ id: "PasskeyCreationOptions" });

/** For `navigator.credentials.get`, after `PublicKeyCredential.parseRequestOptionsFromJSON`. */
export const PasskeyRequestOptions = z
  .looseObject({ challenge: z.string(), rpId: z.string().optional() })
  .meta({ id: "PasskeyRequestOptions" });

const base64url = (maxLength: number) =>
  z
    .string()
    .max(maxLength)
    .regex(/^[A-Za-z0-9_-]+$/);
const identity = {
  id: base64url(1400),
  rawId: base64url(1400),
  type: z.literal("public-key"),
};

/** What browsers add beyond this is of no use here, and ignored. */
export const RegistrationCredential = z
  .looseObject({
    ...identity,
    response: z.looseObject({
      clientDataJSON: base64url(8000),
      attestationObject: base64url(60_000),
      transports: z
        .array(z.string().regex(/^[a-z-]{1,20}$/))
        .max(10)
        .optional(),
    }),
  })
  .meta({ id: "RegistrationCredential" });
export type RegistrationCredential = z.infer<typeof RegistrationCredential>;

export const AuthenticationCredential = z
  .looseObject({
    ...identity,
    response: z.looseObject({
      clientDataJSON: base64url(8000),
      authenticatorData: base64url(8000),
      signature: base64url(8000),
      userHandle: base64url(200).nullish(),
    }),
  })
  .meta({ id: "AuthenticationCredential" });
export type AuthenticationCredential = z.infer<typeof AuthenticationCredential>;

export const PasskeyCreate = z
  .strictObject({
    name: displayText(100).min(1),
    credential: RegistrationCredential.describe("`toJSON()` of the credential returned by the browser."),
  })
  .meta({ id: "PasskeyCreate" });

export const PasskeySignIn = z
  .strictObject({
    credential: AuthenticationCredential.describe("`toJSON()` of the credential returned by the browser."),
  })
  .meta({ id: "PasskeySignIn" });
