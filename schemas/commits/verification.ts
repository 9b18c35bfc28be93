/** What became of the signature of a commit. */
import { z } from "zod";
import { idOf } from "../core/ids.ts";

export const verificationReasons = [
  "valid",
  "unsigned",
  "unknown_key",
  "bad_email",
  "unverified_email",
  "expired_key",
  "revoked_key",
  "invalid",
  "unsupported",
] as const;

export const CommitVerification = z
  .object({
    verified: z.boolean().describe("Whether the reason is `valid`."),
    reason: z
      .enum(verificationReasons)
      .describe(
        "`unknown_key`: nobody here has the key. `bad_email`, `unverified_email`: the committer's address is not one of the key's owner, or not verified. `expired_key`, `revoked_key`: of OpenPGP keys. `invalid`: not a signature of this commit. `unsupported`: of a form or kind of key that is not checked.",
      ),
    signer: z
      .object({ id: idOf("usr"), username: z.string() })
      .nullable()
      .describe("Owner of the key, where it is valid; null also for commits that this instance made."),
    key_fingerprint: z
      .string()
      .nullable()
      .describe(
        "Of the key that signed: `SHA256:…` for SSH, hexadecimal for OpenPGP; null where that is not known.",
      ),
    made_here: z
      .boolean()
      .describe(
        "Whether this instance made the commit, as for a merge or a file that was edited in the browser, and signed it.",
      ),
  })
  .meta({ id: "CommitVerification" });
export type CommitVerification = z.infer<typeof CommitVerification>;
