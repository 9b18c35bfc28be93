/**
 * Certificates of signed pushes: a list of updates, and a nonce that we announced, in a text with a signature below. Git
 * takes the list from the text, compares its push options, and tells what it thinks of the nonce.
 */
import { quarantineEnvironment } from "../objects/received-objects.ts";
import type { RunGit } from "../processes/run-git.ts";

export interface GivenCertificate {
  /** Of the blob in which Git keeps the text. */
  oid: string;
  /** The nonce is one of ours, for this repository and of this time. */
  nonceIsOurs: boolean;
}

export interface CertificateParts {
  /** What was signed. */
  text: Buffer;
  /** In its armour; empty where there is none. */
  signature: Buffer;
}

/** Of a push that waits in its quarantine, or brought no objects. */
export async function readCertificate(
  runGit: RunGit,
  { directory, quarantine }: { directory: string; quarantine: string | null },
  oid: string,
): Promise<Buffer> {
  const env = quarantine === null ? {} : quarantineEnvironment({ directory, quarantine });
  return (await runGit({ directory, env, args: ["cat-file", "blob", oid] })).stdout;
}

/** Lines with which Git knows the begin of a signature. */
const signatureStarts = [
  "-----BEGIN PGP SIGNATURE-----",
  "-----BEGIN PGP MESSAGE-----",
  "-----BEGIN SIGNED MESSAGE-----",
  "-----BEGIN SSH SIGNATURE-----",
].map((line) => Buffer.from(line));

/** As Git parts them: at the last line that can begin a signature. What it takes for updates stands before it. */
export function splitCertificate(certificate: Buffer): CertificateParts {
  let start = certificate.length;
  for (let at = 0; at < certificate.length;) {
    const line = at;
    if (
      signatureStarts.some((word) => certificate.subarray(line, line + word.length).equals(Buffer.from(word)))
    )
      start = line;
    const end = certificate.indexOf(0x0a, line);
    at = end === -1 ? certificate.length : end + 1;
  }
  return { text: certificate.subarray(0, start), signature: certificate.subarray(start) };
}
