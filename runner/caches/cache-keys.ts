/** Evaluates the keys of a job's caches. Files are read in between: an expression that needs a hash is evaluated again with it. */
import { ExpressionProblem } from "@forgeline/compiler/expression/problem.ts";
import type { Contexts } from "@forgeline/compiler/expression/values.ts";
import { renderTemplate } from "@forgeline/compiler/template.ts";
import { maxCacheKeyChars } from "@forgeline/schemas/caches/limits.ts";
import type { PlanCache } from "@forgeline/schemas/pipeline-file/plan-cache.ts";
import { CacheError } from "./cache-error.ts";

export interface CacheKeys {
  key: string;
  restore: string[];
}

/** Asks for the hash of the files that match. */
export type HashFiles = (globs: readonly string[]) => Promise<string>;

class NeedsHash extends Error {
  readonly globs: readonly string[];
  constructor(globs: readonly string[]) {
    super("an expression needs a hash of files");
    this.globs = globs;
  }
}

/** Of all `hashFiles` of one text. */
const maxHashes = 20;

/** Throws `CacheError`, and what `hash` throws. */
export async function cacheKeys(cache: PlanCache, contexts: Contexts, hash: HashFiles): Promise<CacheKeys> {
  const known = new Map<string, string>();
  const render = async (template: string): Promise<string> => {
    for (let round = 0; round <= maxHashes; round += 1) {
      try {
        return checked(
          renderTemplate(template, { ...contexts, hashFiles: (globs) => knownHash(known, globs) }),
        );
      } catch (error) {
        if (!(error instanceof NeedsHash)) throw asCacheError(error);
        known.set(JSON.stringify(error.globs), await hash(error.globs));
      }
    }
    throw new CacheError(`its key has more than ${maxHashes} times hashFiles`);
  };
  const key = await render(cache.key);
  const restore: string[] = [];
  for (const prefix of cache.restore) restore.push(await render(prefix));
  return { key, restore };
}

function knownHash(known: ReadonlyMap<string, string>, globs: readonly string[]): string {
  const hash = known.get(JSON.stringify(globs));
  if (hash === undefined) throw new NeedsHash(globs);
  return hash;
}

function asCacheError(error: unknown): unknown {
  return error instanceof ExpressionProblem ? new CacheError(error.message, { cause: error }) : error;
}

function checked(key: string): string {
  if (key === "") throw new CacheError("its key is empty");
  if (key.length > maxCacheKeyChars)
    throw new CacheError(`its key has ${key.length} characters; at most ${maxCacheKeyChars} are possible`);
  if (/\p{Cc}/u.test(key)) throw new CacheError("its key has control characters");
  return key;
}
