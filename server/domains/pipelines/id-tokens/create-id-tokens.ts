/** Wires for identity tokens: the keys that sign them, and what jobs get. */
import { matchesGlob } from "@forgeline/compiler/glob.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import type { Platform } from "../../../platform/platform.ts";
import type { Hosting } from "../../hosting/domain.ts";
import type { Operation } from "../../operation/domain.ts";
import { createIdTokenKeyService } from "./key-service.ts";
import { createJobIdTokens } from "./job-id-tokens.ts";
import { createSigningKeys } from "./signing-keys.ts";

export function createIdTokens(
  { db, addresses, instanceKeys }: Pick<Platform, "db" | "addresses" | "instanceKeys">,
  { encryptedRecords }: Pick<Operation, "encryptedRecords">,
  hosting: Pick<Hosting, "branchProtections" | "tagProtections">,
) {
  const idTokenKeys = createSigningKeys(db, instanceKeys.encryption("id_token"));
  encryptedRecords.add("id_token_keys", idTokenKeys.encrypted);

  async function isProtected(tx: Transaction, repositoryId: string, ref: string): Promise<boolean> {
    const isTag = ref.startsWith("refs/tags/");
    const rules = isTag ? hosting.tagProtections : hosting.branchProtections;
    const name = ref.replace(/^refs\/(heads|tags)\//, "");
    return (await rules.patterns(repositoryId, tx)).some((pattern) => matchesGlob(pattern, name));
  }

  return {
    idTokenKeys,
    idTokenKeyService: createIdTokenKeyService(db, idTokenKeys),
    jobIdTokens: createJobIdTokens({ keys: idTokenKeys, issuer: addresses.webUrl, isProtected }),
  };
}
