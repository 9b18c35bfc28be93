/**
 * Rules for the content of a push: no file above the limit, and no secret of this instance. Checks all new objects in
 * quarantine, whichever commit they belong to.
 */
import type { GitObject } from "../../../platform/git/processes/cat-file-process.ts";
import { pathsOfObjects } from "../../../platform/git/objects/paths-of-objects.ts";
import {
  receivedIds,
  visitObjects,
  visitSizes,
  type Quarantine,
} from "../../../platform/git/objects/received-objects.ts";
import type { Git } from "../../../platform/git/processes/run-git.ts";
import { findTokens, type FoundToken } from "../../../platform/credentials/find-tokens.ts";
import type { RefUpdate } from "../../../platform/git/refs/ref-update.ts";

export interface ContentRules {
  judge(push: PushedContent): Promise<ContentVerdict>;
}

export interface PushedContent extends Quarantine {
  updates: readonly RefUpdate[];
  options: readonly string[];
  /** Of a sync: what is too large, as it was found before. Secrets in it are known elsewhere already, and stop nothing. */
  tooLarge?: ReadonlyMap<string, number> | undefined;
}

export interface ContentVerdict {
  /** Messages for the pusher; empty if the content is allowed. */
  problems: string[];
  /** Secrets that the pusher allows, as `path:line`. */
  overridden: string[];
}

/** The option of `git push -o` that allows secrets. */
export const allowSecretsOption = "forgeline.allow-secrets";

/** Larger files are not searched: people's secrets stand in text. */
const searchedBytes = 1024 * 1024;
/** The first push of a long history is not searched: its secrets, if any, are not of this instance. */
const maxSearched = 50_000;
const maxListed = 10;

export function createContentRules({ git, maxFileBytes }: { git: Git; maxFileBytes: number }): ContentRules {
  return {
    async judge(push) {
      const { tooLarge, secrets } = push.tooLarge
        ? { tooLarge: push.tooLarge, secrets: new Map<string, FoundToken[]>() }
        : await search(git, push, maxFileBytes);
      const offenders = new Set([...tooLarge.keys(), ...secrets.keys()]);
      if (offenders.size === 0) return { problems: [], overridden: [] };
      const tips = push.updates.map(({ after }) => after);
      const paths = await pathsOfObjects(git.run, push, { tips, wanted: offenders });
      const nameOf = (oid: string) => paths.get(oid) ?? oid;
      const places = Array.from(secrets, ([oid, found]) =>
        found.map(({ kind, line }) => ({ kind, place: `${nameOf(oid)}:${line}` })),
      ).flat();
      const allowed = push.options.includes(allowSecretsOption);
      const problems = [
        ...aboutSize(
          Array.from(tooLarge, ([oid, size]) => ({ path: nameOf(oid), size })),
          maxFileBytes,
        ),
        ...(allowed ? [] : aboutSecrets(places)),
      ];
      return { problems, overridden: allowed ? places.map(({ place }) => place).slice(0, 100) : [] };
    },
  };
}

async function search(git: Git, place: Quarantine, maxFileBytes: number) {
  const received = await receivedIds(place.quarantine);
  const tooLarge = new Map<string, number>();
  const secrets = new Map<string, FoundToken[]>();
  const count = received.loose.length + received.packed.length;
  const maxBytes = count > maxSearched ? 0 : searchedBytes;
  const visit = ({ oid, type, sizeBytes, bytes }: GitObject) => {
    if (type === "blob" && sizeBytes > maxFileBytes) tooLarge.set(oid, sizeBytes);
    if (type === "tree" || bytes === null) return;
    const found = findTokens(bytes);
    if (found.length > 0) secrets.set(oid, found);
  };
  if (maxBytes > 0) await visitObjects(git.start, { place, received }, { maxBytes, visit });
  else
    await visitSizes(git.run, { place, received }, ({ oid, type, sizeBytes }) => {
      if (type === "blob" && sizeBytes > maxFileBytes) tooLarge.set(oid, sizeBytes);
    });
  return { tooLarge, secrets };
}

function aboutSize(files: readonly { path: string; size: number }[], maxFileBytes: number): string[] {
  if (files.length === 0) return [];
  return [
    ...files.slice(0, maxListed).map(({ path, size }) => `${path} has ${mebibytes(size)}`),
    `Files can have at most ${mebibytes(maxFileBytes)} here. Remove larger ones from every commit of this push, or store them in Git LFS.`,
  ];
}

function aboutSecrets(places: readonly { kind: string; place: string }[]): string[] {
  if (places.length === 0) return [];
  return [
    ...places.slice(0, maxListed).map(({ kind, place }) => `${place} is ${kind}`),
    "Everyone who can read the repository could use it. Remove it from every commit of this push, and revoke it if others have seen it.",
    `If it is not a secret: git push -o ${allowSecretsOption}`,
  ];
}

function mebibytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1).replace(/\.0$/, "")} MiB`;
}
