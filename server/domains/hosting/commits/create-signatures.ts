/** Wires what signs commits that are made here, and what verifies signatures. */
import type { SignCommit } from "../../../platform/git/signatures/sign-commit.ts";
import type { Platform } from "../../../platform/platform.ts";
import type { CommitSigners } from "../../accounts/domain.ts";
import { createCommitSigner } from "./commit-signer.ts";
import { createCommitVerifier, type CommitVerifier } from "./verification.ts";

export interface CommitSignatures {
  commitVerifier: CommitVerifier;
  signCommit: SignCommit;
}

export function createCommitSignatures(
  { db, instanceKeys }: Platform,
  signers: CommitSigners,
): CommitSignatures {
  return {
    commitVerifier: createCommitVerifier({ db, signers }),
    signCommit: createCommitSigner({ db, instanceKeys }),
  };
}
