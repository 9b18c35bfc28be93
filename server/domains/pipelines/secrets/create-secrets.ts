/** Wires for secrets: what people manage, what jobs get, and what a rotation of keys encrypts again. */
import type { Platform } from "../../../platform/platform.ts";
import type { Operation } from "../../operation/domain.ts";
import { createCredentialService } from "./credentials.ts";
import { encryptedSecrets } from "./encrypted-secrets.ts";
import { createJobSecrets } from "./job-secrets.ts";
import { createSecretService } from "./service.ts";

export function createSecrets(
  { db, addresses, instanceKeys }: Pick<Platform, "db" | "addresses" | "instanceKeys">,
  { encryptedRecords }: Pick<Operation, "encryptedRecords">,
) {
  const encryption = instanceKeys.encryption("pipeline_secret");
  encryptedRecords.add("secrets", encryptedSecrets(encryption));
  return {
    secrets: createSecretService({ db, encryption, addresses }),
    credentials: createCredentialService({ db }),
    jobSecrets: createJobSecrets(encryption),
  };
}
