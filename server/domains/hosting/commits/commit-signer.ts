/** Signs commits that the instance makes for somebody: merges, squashed branches, files written in the browser. */
import type { Database } from "../../../platform/db/database.ts";
import type { SignCommit } from "../../../platform/git/signatures/sign-commit.ts";
import { withSignature } from "../../../platform/git/signatures/commit-signature.ts";
import { sshSigningKey } from "../../../platform/git/signatures/ssh-signing-key.ts";
import type { InstanceKeys } from "../../../platform/keys/instance-keys.ts";
import { insertKey } from "./signing-keys.store.ts";

/** The key is known to all servers before the first commit that it signs is there. */
export function createCommitSigner(deps: {
  db: Database;
  instanceKeys: Pick<InstanceKeys, "derived">;
}): SignCommit {
  const known = new Set<string>();
  return async (bytes) => {
    const key = sshSigningKey(deps.instanceKeys.derived("commit_signing")[0]);
    if (!known.has(key.fingerprint)) {
      await insertKey(deps.db, key);
      known.add(key.fingerprint);
    }
    return withSignature(bytes, key.sign(bytes));
  };
}
