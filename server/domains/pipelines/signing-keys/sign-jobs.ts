/** Signs attempts when they are queued, in the transaction that queues them. */
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import type { Encryption } from "../../../platform/keys/encryption.ts";
import type { InstanceAddresses, LeaseMaterial } from "../leases/lease-spec.ts";
import { jobSigner } from "./ed25519.ts";
import { jobStatement } from "./job-statement.ts";
import * as jobs from "./signed-jobs.store.ts";
import * as store from "./signing-keys.store.ts";

export interface JobSignerDeps {
  encryption: Encryption;
  addresses: InstanceAddresses;
  /** Of attempts, as their leases will be made from it. */
  material: (db: Queryable, attemptIds: readonly string[]) => Promise<LeaseMaterial[]>;
}

export interface NewlyQueued {
  repositoryId: string;
  attemptIds: readonly string[];
}

/**
 * Does nothing where no key signs jobs of the repository; gives whether it did. Call it once for each attempt, when its row is there.
 */
export type SignJobs = (tx: Transaction, queued: NewlyQueued) => Promise<boolean>;

export function createJobSigner({ encryption, addresses, material }: JobSignerDeps): SignJobs {
  return async (tx, { repositoryId, attemptIds }) => {
    const keys = await store.listSigning(tx, repositoryId);
    if (keys.length === 0) return false;
    const signers = keys.map(({ id, sealed_private_key: sealed }) => ({
      id,
      sign: jobSigner(encryption.decrypt(id, sealed)),
    }));
    const nowMs = Date.now();
    const signed = (await material(tx, attemptIds)).map((one) => {
      const payload = JSON.stringify(jobStatement(one, { addresses, nowMs }));
      const signatures = signers.map(({ id, sign }) => ({ key: id, signature: sign(payload) }));
      return { attemptId: one.attemptId, payload, signatures };
    });
    await jobs.insert(tx, signed);
    tx.count("forgeline_jobs_signed_total", {}, signed.length);
    return true;
  };
}
