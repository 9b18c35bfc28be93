/** Text of the page about the instance's encryption keys. */
import type { Schemas } from "@forgeline/client/schemas.ts";

type Key = Schemas["InstanceKey"];
type Rotation = Schemas["KeyRotation"];

export const text = {
  title: "Encryption keys",
  lead: "Secrets that this instance must be able to read again are encrypted with its current key. Old keys only decrypt, and are removed when nothing needs them any more, after a day at the earliest.",
  rotate: "Replace the key",
  rotateTitle: "Replace the encryption key?",
  rotateHint:
    "A new key is created, and everything is encrypted again in the background. Nobody is signed out, and running jobs continue.",
  rotateBegun: "The key is being replaced.",
  keys: "Keys",
  id: "Key",
  state: "State",
  states: {
    pending: "becomes current",
    current: "current",
    old: "old",
  } satisfies Record<Key["state"], string>,
  created: "Created",
  unknownAge: "before keyrings",
  wrappedBy: "Encrypted by",
  places: {
    program: "a program",
    environment: "a key in the environment",
    file: "a key file",
  } satisfies Record<NonNullable<Key["wrapped_by"]>, string>,
  missingPlace: "a key that this server does not have",
  encrypted: "Encrypted with it",
  kinds: {
    two_factor: "second factors",
    single_sign_on: "single sign-on",
    mails: "mails",
    webhooks: "webhooks",
    mirrors: "mirrors",
    push_mirrors: "push mirrors",
    imports: "imports",
    audit_streams: "streams of audit logs",
    secrets: "secrets",
    id_token_keys: "keys of identity tokens",
    job_signing_keys: "keys that sign jobs",
  } satisfies Record<keyof Key["encrypted"], string>,
  nothing: "nothing",
  rotations: "Replacements",
  noRotations: "The key has not been replaced yet",
  by: "Requested by",
  begun: "Started",
  ended: "Ended",
  newKey: "New key",
  again: "Encrypted again",
  unreadable: (count: string) => `${count} cannot be decrypted`,
  rotationStates: {
    running: "running",
    done: "done",
    cancelled: "cancelled",
  } satisfies Record<Rotation["state"], string>,
} as const;
