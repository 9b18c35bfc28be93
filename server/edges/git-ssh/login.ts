/**
 * The login of one SSH connection: as `git`, by a key that somebody put here. The user follows from the key whose signature was
 * verified, never from one that was only offered.
 */
import { createHash } from "node:crypto";
import type { AuthContext, Connection, PublicKeyAuthContext } from "ssh2";
import type { KeyOwner, KeyOwners } from "../../domains/accounts/domain.ts";
import type { Logger } from "../../platform/logger.ts";
import { signatureIsValid } from "../../platform/ssh/verify-signature.ts";

export interface LoginOptions {
  client: Connection;
  keyHolders: Pick<KeyOwners, "find">;
  logger: Logger;
  maxKeys: number;
  /** Ends the connection. */
  end(): void;
}

export interface Login {
  /** The key that logged in; undefined until then. */
  fingerprint(): string | undefined;
  /** The owner of that key at the login. */
  holder(): KeyOwner | undefined;
  /** Whether a key was offered that was not accepted. */
  hasFailed(): boolean;
}

/** A client asks which methods are accepted, then whether a key is accepted, and then signs. */
const requestsOfKey = 3;

export function acceptLogin({ client, keyHolders, logger, maxKeys, end }: LoginOptions): Login {
  let fingerprint: string | undefined;
  let loggedIn: KeyOwner | undefined;
  let failures = 0;
  let requests = 0;

  async function decide(context: PublicKeyAuthContext): Promise<void> {
    const offered = fingerprintOf(context.key.data);
    const holder = await keyHolders.find(offered);
    if (!holder || holder.kind !== context.key.algo || !isOf(holder, context.key.data))
      return refuse(context);
    if (!context.signature || !context.blob) return context.accept();
    const { signature, blob, hashAlgo } = context;
    const { kind, publicKey } = holder;
    if (!signatureIsValid({ kind, publicKey, signature, blob, hashAlgo })) return refuse(context);
    fingerprint = offered;
    loggedIn = holder;
    context.accept();
  }

  function refuse(context: AuthContext): void {
    failures += 1;
    if (failures > maxKeys) end();
    else context.reject(["publickey"]);
  }

  client.on("authentication", (context) => {
    requests += 1;
    // Each question whether a key is accepted costs a database query.
    if (requests > requestsOfKey * maxKeys) return end();
    // Clients begin with the method "none", to learn which methods are accepted.
    if (context.method !== "publickey" || context.username !== "git") {
      context.reject(["publickey"]);
      return;
    }
    decide(context).catch((error: unknown) => {
      logger.error({ err: error }, "an SSH login failed");
      end();
    });
  });
  return {
    fingerprint: () => fingerprint,
    holder: () => loggedIn,
    hasFailed: () => fingerprint === undefined && failures > 0,
  };
}

function isOf(holder: KeyOwner, blob: Buffer): boolean {
  return holder.publicKey.split(" ")[1] === blob.toString("base64");
}

function fingerprintOf(blob: Buffer): string {
  return `SHA256:${createHash("sha256").update(blob).digest("base64").replace(/=+$/, "")}`;
}
