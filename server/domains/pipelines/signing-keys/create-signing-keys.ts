/** Wires for signed jobs: the keys, and what signs with them. */
import type { Platform } from "../../../platform/platform.ts";
import type { Operation } from "../../operation/domain.ts";
import { encryptedValues } from "../../../platform/keys/encrypted-values.ts";
import { createSigningKeyService } from "./service.ts";
import { createJobSigner, type JobSignerDeps } from "./sign-jobs.ts";
import * as store from "./signing-keys.store.ts";

export function createSigningKeys(
  { db, addresses, instanceKeys }: Pick<Platform, "db" | "addresses" | "instanceKeys">,
  { encryptedRecords }: Pick<Operation, "encryptedRecords">,
  material: JobSignerDeps["material"],
) {
  const encryption = instanceKeys.encryption("job_signing");
  const encrypted = encryptedValues({
    count: store.countByKey,
    lock: store.lockOfOtherKeys,
    replace: store.replaceSealed,
    again: ({ id, sealed_private_key: sealed }) => ({ id, sealed: encryption.again(id, sealed) }),
  });
  encryptedRecords.add("job_signing_keys", encrypted);
  return {
    signingKeys: createSigningKeyService({ db, encryption, addresses }),
    signJobs: createJobSigner({ encryption, addresses, material }),
  };
}
