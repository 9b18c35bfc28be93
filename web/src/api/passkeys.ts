/** What browsers and the server exchange about passkeys (WebAuthn). The browser asks its user in a window of its own. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "./client.ts";

export const hasPasskeys =
  "PublicKeyCredential" in window && "parseCreationOptionsFromJSON" in PublicKeyCredential;

/** True when somebody closed the browser's window, or it had nothing to offer: no failure worth words. */
export function wasDismissed(error: unknown): boolean {
  return error instanceof DOMException && (error.name === "NotAllowedError" || error.name === "AbortError");
}

/** Makes a passkey on this device or key and registers it. `password`: the account's, as proof. */
export async function createPasskey({ name, password }: { name: string; password: string }): Promise<void> {
  const { data: options } = await api.POST("/user/passkeys/challenges", { body: { password } });
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as unknown as PublicKeyCredentialCreationOptionsJSON,
  );
  const made = await navigator.credentials.create({ publicKey });
  await api.POST("/user/passkeys", {
    body: { name, credential: asJson<Schemas["RegistrationCredential"]>(made) },
  });
}

/** Starts a session with a passkey of whoever holds it. */
export async function signInWithPasskey(): Promise<void> {
  const { data: options } = await api.POST("/user/sessions/passkey-challenges");
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    options as unknown as PublicKeyCredentialRequestOptionsJSON,
  );
  const given = await navigator.credentials.get({ publicKey });
  await api.POST("/user/sessions/passkeys", {
    body: { credential: asJson<Schemas["AuthenticationCredential"]>(given) },
  });
}

function asJson<T>(credential: Credential | null): T {
  if (!(credential instanceof PublicKeyCredential)) throw new DOMException("", "NotAllowedError");
  return credential.toJSON() as T;
}
