/** Puts a signed push into the audit log, in the transaction that records it. */
import type { Transaction } from "../../../platform/db/database.ts";
import { recordAudit } from "../../operation/domain.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import type { RecordedPush } from "./push.ts";
import { repositoryName } from "./pushes.store.ts";

/** A longer certificate, of some hundred refs, is recorded by its hash alone. */
const maxCertificateBytes = 32 * 1024;
const maxRefs = 100;

/** Nothing for a push that was not signed. */
export async function recordSignature(tx: Transaction, push: RecordedPush, actor: Actor): Promise<void> {
  const { signature, repositoryId, username, id, updates } = push;
  if (!signature) return;
  const { status, fingerprint, digest, certificate } = signature;
  await recordAudit(tx, actor, {
    action: "push.signed",
    target: { type: "repository", id: repositoryId, name: await repositoryName(tx, repositoryId) },
    details: {
      push_id: id,
      pusher: username,
      signature: status,
      fingerprint,
      // The updates that happened: a rule may have refused some of those in the certificate.
      refs: updates.slice(0, maxRefs).map(({ ref }) => ref),
      sha256: digest,
      certificate: certificate.length > maxCertificateBytes ? null : certificate.toString("utf8"),
    },
  });
}
