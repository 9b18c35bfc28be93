/** The keys whose signatures this runner executes: `FORGELINE_RUNNER_TRUSTED_KEYS`. */
import { createPublicKey, type KeyObject } from "node:crypto";
import { readFile } from "node:fs/promises";

/** What DER has before the 32 bytes of an Ed25519 key. */
const derPrefix = Buffer.from("302a300506032b6570032100", "hex");
const keyBytes = 32;

export interface TrustedKey {
  key: KeyObject;
  /** Ids or names (`owner/name`, `owner/*`) of the repositories whose jobs it may sign; empty: of all. */
  repositories: readonly string[];
}

/** Keys in the setting itself, or in the file that it names. Throws an `Error` that names the line. */
export async function readTrustedKeys(setting: string): Promise<TrustedKey[]> {
  const isInline = /^\s*ed25519\s/.test(setting);
  const text = isInline ? setting.replaceAll(",", "\n") : await readKeyFile(setting);
  const keys = parseTrustedKeys(text);
  if (keys.length === 0)
    throw new Error(`FORGELINE_RUNNER_TRUSTED_KEYS: ${setting} contains no key, so no job could run`);
  return keys;
}

async function readKeyFile(path: string): Promise<string> {
  return readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new Error(`FORGELINE_RUNNER_TRUSTED_KEYS: ${path} cannot be read (${error.code ?? error.message})`);
  });
}

/** One key a line: `ed25519 KEY [REPOSITORY …]`; what follows # is a comment. */
export function parseTrustedKeys(text: string): TrustedKey[] {
  return text.split("\n").flatMap((line, index) => {
    const [algorithm, key = "", ...repositories] = line.replace(/#.*/, "").trim().split(/\s+/);
    if (!algorithm) return [];
    const problem = (what: string) =>
      new Error(
        `FORGELINE_RUNNER_TRUSTED_KEYS, line ${index + 1}: ${what}; a line is: ed25519 KEY [REPOSITORY …]`,
      );
    if (algorithm !== "ed25519") throw problem(`"${algorithm}" is not a kind of key`);
    const bytes = Buffer.from(key, "base64");
    if (bytes.length !== keyBytes || bytes.toString("base64") !== key)
      throw problem("the key is not 32 bytes in base64");
    const wrong = repositories.find(
      (name) => !/^(?:repo_[0-9a-z]{26}|[^/*\s]+\/(?:[^/*\s]+|\*))$/.test(name),
    );
    if (wrong !== undefined)
      throw problem(`"${wrong}" is neither owner/name, owner/* nor the id of a repository`);
    const der = Buffer.concat([derPrefix, bytes]);
    return [{ key: createPublicKey({ key: der, format: "der", type: "spki" }), repositories }];
  });
}

/** Names are compared without case, as the server does. */
export function mayServe(key: TrustedKey, repository: { id: string; name: string }): boolean {
  const name = repository.name.toLowerCase();
  const owner = name.slice(0, name.indexOf("/"));
  const fits = (wanted: string) =>
    wanted === repository.id || [name, `${owner}/*`].includes(wanted.toLowerCase());
  return key.repositories.length === 0 || key.repositories.some(fits);
}
