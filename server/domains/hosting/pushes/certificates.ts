/** Signed pushes: finds out who signed, and refuses invalid certificates. */
import { createHash } from "node:crypto";
import {
  readCertificate,
  splitCertificate,
  type CertificateParts,
  type GivenCertificate,
} from "../../../platform/git/transfer/push-certificate.ts";
import type { RunGit } from "../../../platform/git/processes/run-git.ts";
import { judgeSshSignature, sshSignatureStart } from "../../../platform/git/objects/ssh-signature.ts";
import type { KeyOwners } from "../../accounts/domain.ts";
import type { PushSignature } from "./push.ts";

export interface SignedPush {
  directory: string;
  /** Null for a push that brought no objects. */
  quarantine: string | null;
  certificate: GivenCertificate;
  pusherId: string;
}

export interface CertificateRules {
  /** What to record about the signature, or a message for the pusher that says what is wrong with it. */
  judge(push: SignedPush): Promise<{ signature: PushSignature } | { problem: string }>;
}

export interface CertificateRulesDeps {
  runGit: RunGit;
  keyHolders: Pick<KeyOwners, "find">;
}

export function createCertificateRules({ runGit, keyHolders }: CertificateRulesDeps): CertificateRules {
  /** A key counts only for pushes of its owner; the owner of another key is not shown. */
  async function isOf(pusherId: string, fingerprint: string): Promise<boolean> {
    return (await keyHolders.find(fingerprint))?.actor.userId === pusherId;
  }

  async function judgeSigner(
    { text, signature }: CertificateParts,
    pusherId: string,
  ): Promise<Pick<PushSignature, "status" | "fingerprint"> | undefined> {
    if (signature.length === 0) return undefined;
    if (!signature.subarray(0, sshSignatureStart.length).equals(Buffer.from(sshSignatureStart)))
      return { status: "unchecked", fingerprint: null };
    const judged = judgeSshSignature(text, signature, "git");
    if (judged.verdict === "bad") return undefined;
    const { fingerprint } = judged;
    if (judged.verdict === "unknown_kind") return { status: "unchecked", fingerprint };
    return { status: (await isOf(pusherId, fingerprint)) ? "verified" : "unknown_key", fingerprint };
  }

  return {
    async judge({ certificate, pusherId, ...place }) {
      if (!certificate.nonceIsOurs) return { problem: foreignNonce };
      const bytes = await readCertificate(runGit, place, certificate.oid);
      const parts = splitCertificate(bytes);
      const signer = await judgeSigner(parts, pusherId);
      if (!signer) return { problem: badSignature };
      const digest = createHash("sha256").update(parts.text).digest("hex");
      return { signature: { ...signer, certificate: bytes, digest } };
    },
  };
}

const foreignNonce =
  "The certificate of this push was issued for another push or repository, or more than ten minutes ago. Push again.";
const badSignature =
  "The signature of this push does not match its content. Push again; if that does not help, check user.signingKey.";
