/** Reads the keys in requests. */
import { AppError, invalidField } from "../../../platform/app-error.ts";
import { parseSshPublicKey, SshKeyProblem, type SshPublicKey } from "../../../platform/ssh/public-key.ts";

export interface GivenKey extends SshPublicKey {
  /** As given, else the comment, else the fingerprint. */
  title: string;
}

/** Throws `validation_failed` for a key that is not accepted. */
export function readKey(given: { key: string; title?: string | undefined }): GivenKey {
  const key = parse(given.key);
  return { ...key, title: given.title || printable(key.comment) || key.fingerprint };
}

export function keyInUse(): AppError {
  return new AppError("conflict", { message: "The key is already in use." });
}

function parse(text: string): SshPublicKey {
  try {
    return parseSshPublicKey(text);
  } catch (error) {
    if (!(error instanceof SshKeyProblem)) throw error;
    throw invalidField("key", "invalid", error.message);
  }
}

/** A comment can contain any text. */
function printable(comment: string): string {
  return comment.replaceAll(/[^\x20-\x7e]/g, "").slice(0, 100);
}
