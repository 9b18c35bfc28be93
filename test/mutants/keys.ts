/** Mistakes in the keeping and the replacement of the instance's keys. */
import type { Mutant } from "./mutant.ts";

const unit = "test/unit/server/platform/keys/keys.test.ts";
const keyring = "test/unit/keyring/keyring.test.ts";
const rotations = "test/integration/api/keys/key-rotations.test.ts";

export const keyMutants: readonly Mutant[] = [
  {
    name: "keys-value-of-another-record",
    promise: "An encrypted value is worth nothing in another record.",
    file: "keyring/encrypted-bytes.ts",
    find: '  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(context));',
    replace:
      '  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(context.slice(0, 0)));',
    tests: [unit],
  },
  {
    name: "keys-part-of-a-signature",
    promise: "A signature counts only as a whole.",
    file: "server/platform/keys/signer.ts",
    find: "      signature.length === bytes &&\n",
    replace: "      (bytes = signature.length) >= 0 &&\n",
    tests: [unit],
  },
  {
    name: "keys-old-signature-refused",
    promise: "What an earlier key signed stays valid.",
    file: "server/platform/keys/instance-keys.ts",
    find: "return [keysFor(first, purpose), ...others.map((key) => keysFor(key, purpose))];",
    replace:
      "return [keysFor(first, purpose), ...others.slice(others.length).map((key) => keysFor(key, purpose))];",
    tests: [rotations],
  },
  {
    name: "keys-removed-while-used",
    promise: "A key stays while a record is encrypted with it or a job may have its token.",
    file: "server/domains/operation/keys/unused-keys.ts",
    find: " && !(await records.isUsedSince(replacedAt))",
    replace: "",
    tests: [rotations],
  },
  {
    name: "keys-checkpoint-not-signed-again",
    promise: "Checkpoints of the audit log stay valid after the key that signed them is gone.",
    file: "server/domains/operation/audit/checkpoints.ts",
    find: "if (!isBehind && isCurrent) return true;",
    replace: "if (!isBehind) return true;",
    tests: [rotations],
  },
  {
    name: "keys-recovery-codes-lost",
    promise: "Recovery codes from before the first rotation stay valid.",
    file: "server/domains/accounts/two-factor/recovery-keys.ts",
    find: "return keys.beforeKeyring(purpose) ?? randomBytes(32);",
    replace: "return randomBytes(32);",
    tests: [rotations],
  },
  {
    name: "keys-second-wrapping-key-wraps",
    promise: "The first wrapping key wraps; so an old one can be taken away after a rotation.",
    file: "keyring/wrapping-keys.ts",
    find: "program === undefined ? local[0]?.by : byProgram",
    replace: "program === undefined ? local.at(-1)?.by : byProgram",
    tests: [keyring],
  },
];
