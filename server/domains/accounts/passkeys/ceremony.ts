/**
 * The two ceremonies of WebAuthn for this instance: makes the options for an authenticator and verifies its answer. Passkeys
 * must be discoverable and verify their user, so that one is enough to sign in.
 */
import { createHash, randomBytes } from "node:crypto";
import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from "@simplewebauthn/server";
import type {
  AuthenticationCredential,
  RegistrationCredential,
} from "@forgeline/schemas/passkeys/resource.ts";

/** EdDSA, ES256, RS256: what authenticators have. */
const algorithms = [-8, -7, -257];

export type Ceremony = ReturnType<typeof createCeremony>;

export interface VerifiedPasskey {
  credentialId: string;
  publicKey: Buffer;
  counter: number;
  synced: boolean;
}

/** `webUrl` is the origin of our pages; passkeys are bound to its host name. */
export function createCeremony(webUrl: string) {
  const rpID = new URL(webUrl).hostname;
  const expected = { expectedOrigin: webUrl, expectedRPID: rpID, requireUserVerification: true };
  return {
    creationOptions: (
      challenge: Uint8Array<ArrayBuffer>,
      user: { id: string; username: string },
      registered: readonly string[],
    ) =>
      generateRegistrationOptions({
        rpName: "Forgeline",
        rpID,
        userID: new TextEncoder().encode(user.id),
        userName: user.username,
        challenge,
        excludeCredentials: registered.map((id) => ({ id })),
        authenticatorSelection: { residentKey: "required", userVerification: "required" },
        supportedAlgorithmIDs: algorithms,
      }),
    requestOptions: (challenge: Uint8Array<ArrayBuffer>) =>
      generateAuthenticationOptions({ rpID, challenge, userVerification: "required" }),
    /** Undefined if the answer is not valid, for whatever reason. */
    async register(given: RegistrationCredential, challenge: string): Promise<VerifiedPasskey | undefined> {
      const { id, rawId, type, response } = given;
      const { clientDataJSON, attestationObject } = response;
      const verified = await verifyRegistrationResponse({
        ...expected,
        response: {
          id,
          rawId,
          type,
          response: { clientDataJSON, attestationObject },
          clientExtensionResults: {},
        },
        expectedChallenge: challenge,
        supportedAlgorithmIDs: algorithms,
      }).catch(() => undefined);
      if (!verified?.verified) return undefined;
      const { credential, credentialBackedUp: synced } = verified.registrationInfo;
      const publicKey = Buffer.from(credential.publicKey);
      return { credentialId: credential.id, publicKey, counter: credential.counter, synced };
    },
    /** The authenticator's new count; undefined if the answer is not valid. */
    async authenticate(
      given: AuthenticationCredential,
      challenge: string,
      stored: Omit<VerifiedPasskey, "synced">,
    ): Promise<number | undefined> {
      const { id, rawId, type, response } = given;
      const { clientDataJSON, authenticatorData, signature } = response;
      const verified = await verifyAuthenticationResponse({
        ...expected,
        response: {
          id,
          rawId,
          type,
          response: { clientDataJSON, authenticatorData, signature },
          clientExtensionResults: {},
        },
        expectedChallenge: challenge,
        credential: {
          id: stored.credentialId,
          publicKey: new Uint8Array(stored.publicKey),
          counter: stored.counter,
        },
      }).catch(() => undefined);
      return verified?.verified ? verified.authenticationInfo.newCounter : undefined;
    },
  };
}

export function newChallenge(): Uint8Array<ArrayBuffer> {
  return new Uint8Array(randomBytes(32));
}

/** `challenge` is in base64url, as in the browser's answer. */
export function hashChallenge(challenge: string): Buffer {
  return createHash("sha256").update(challenge).digest();
}

/** The challenge in an answer; it is not trusted, but looked up among those that we issued. */
export function challengeIn(clientDataJSON: string): string | undefined {
  try {
    const data = JSON.parse(Buffer.from(clientDataJSON, "base64url").toString("utf8")) as unknown;
    const challenge = (data as { challenge?: unknown } | null)?.challenge;
    return typeof challenge === "string" ? challenge : undefined;
  } catch {
    return undefined;
  }
}
