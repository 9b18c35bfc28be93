/** What a mirror identifies with at the other side. A password never goes to another host than the one that it was given for. */
import type { MirrorPreviewRequest } from "@forgeline/schemas/mirrors/resource.ts";
import { invalidField } from "../../../platform/app-error.ts";
import type { RemoteLogin } from "../../../platform/git/remote/remote-source.ts";
import type { Encryption } from "../../../platform/keys/encryption.ts";
import { makeEd25519Key } from "../../../platform/ssh/host-keys.ts";
import { parseSshPublicKey, SshKeyProblem } from "../../../platform/ssh/public-key.ts";
import { publicHalf } from "../../../platform/ssh/key-text.ts";
import { storedSource, type SourceAddress } from "./source-address.ts";

/** Encrypted, as in the row of a mirror. */
export interface SealedLogin {
  username: string | null;
  sealed_password: Buffer | null;
  sealed_ssh_key: Buffer | null;
  host_key: string | null;
}

export type KnownLogin = SealedLogin & {
  /** Of the mirror. */
  id: string;
  /** Where it is used. */
  url: string;
  public_key: string | null;
};

export interface ChosenLogin extends RemoteLogin {
  publicKey: string | null;
}

type Wanted = Pick<MirrorPreviewRequest, "credentials" | "ssh_key" | "host_key">;

export function loginOf(encryption: Encryption, mirrorId: string, row: SealedLogin): RemoteLogin {
  const { username, sealed_password: password, sealed_ssh_key: key } = row;
  return {
    basic:
      username !== null && password ? { username, password: encryption.decrypt(mirrorId, password) } : null,
    privateKey: key && encryption.decrypt(mirrorId, key),
    hostKey: row.host_key,
  };
}

/** `before` is what the mirror has now. Throws `validation_failed`. */
export async function chooseLogin(
  encryption: Encryption,
  { source, wanted, before }: { source: SourceAddress; wanted: Wanted; before: KnownLogin | undefined },
): Promise<ChosenLogin> {
  const old = before && storedSource(before.url);
  const isSameHost =
    old?.protocol === source.protocol && old.host === source.host && old.port === source.port;
  const kept = before && isSameHost ? loginOf(encryption, before.id, before) : undefined;
  if (source.protocol !== "https" && wanted.credentials)
    throw invalidField("credentials", "not_allowed", "Only https takes a user name and password.");
  if (source.protocol !== "ssh" && (wanted.ssh_key !== undefined || wanted.host_key))
    throw invalidField(
      wanted.ssh_key === undefined ? "host_key" : "ssh_key",
      "not_allowed",
      "Only ssh has keys.",
    );
  if (source.protocol !== "ssh") {
    const given = wanted.credentials === undefined ? source.credentials : wanted.credentials;
    const basic = given ?? (wanted.credentials === undefined ? (kept?.basic ?? null) : null);
    return {
      basic: source.protocol === "https" ? basic : null,
      privateKey: null,
      publicKey: null,
      hostKey: null,
    };
  }
  const hostKey = wanted.host_key === undefined ? (kept?.hostKey ?? null) : readHostKey(wanted.host_key);
  if (kept?.privateKey && before?.public_key && wanted.ssh_key === undefined)
    return { basic: null, privateKey: kept.privateKey, publicKey: before.public_key, hostKey };
  const made = await makeEd25519Key();
  return { basic: null, privateKey: made.private, publicKey: publicHalf(made.private), hostKey };
}

function readHostKey(given: string | null): string | null {
  if (given === null) return null;
  try {
    return parseSshPublicKey(given).text;
  } catch (error) {
    if (error instanceof SshKeyProblem) throw invalidField("host_key", "invalid", error.message);
    throw error;
  }
}
