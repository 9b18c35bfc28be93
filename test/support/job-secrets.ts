/** Secrets of jobs, encrypted with a key of the test's own. */
import { keyBeforeKeyring } from "@forgeline/keyring/open-keyring.ts";
import { createEncryption } from "@forgeline/server/platform/keys/encryption.ts";
import { createJobSecrets } from "@forgeline/server/domains/pipelines/secrets/job-secrets.ts";

const key = keyBeforeKeyring(Buffer.alloc(32, 9));

export const testEncryption = createEncryption({
  current: () => key,
  all: () => [key],
  bytesOf: ({ bytes }) => bytes,
});
export const testJobSecrets = createJobSecrets(testEncryption);
