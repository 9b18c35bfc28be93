/**
 * Checkpoints of chains, signed and stored outside the database: whoever rewrites or truncates a chain in the database cannot
 * change these. One object per chain, replaced only by a later point of the same chain.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import type { Queryable } from "../../../platform/db/database.ts";
import { ObjectNotFound, type ObjectStore } from "../../../platform/objects/object-store.ts";
import { hashAt, lastNumber, type Point } from "./chain.store.ts";
import { checkpointMismatch, type Problem } from "./verify.ts";

const Kept = z.object({
  chain: z.string(),
  number: z.number().int().min(1),
  hash: z.string(),
  at: z.string(),
  signature: z.string(),
});

export interface Checkpoints {
  /** Compares the chain with its checkpoint; both null where there is none yet. */
  compare(chain: string): Promise<{ checkpoint: Point | null; problem: Problem | null }>;
  /** False, and nothing is written, if the chain contradicts its existing checkpoint. */
  keep(chain: string, head: Point): Promise<boolean>;
  /**
   * After a restore: where the chain ends before its checkpoint, the checkpoint is set aside (`audit/superseded/`) and given
   * back with the number of the chain's last entry; null where it does not.
   */
  rewind(chain: string): Promise<{ checkpoint: Point; last: number } | null>;
  /** Chains that have a checkpoint. */
  chains(): AsyncIterable<string>;
}

const place = "audit/checkpoints/";

export function createCheckpoints(deps: {
  db: Queryable;
  objects: Pick<ObjectStore, "read" | "put" | "delete" | "list">;
  key: Buffer;
}): Checkpoints {
  const keyOf = (chain: string) => `${place}${chain}.json`;
  const sign = (chain: string, { number, hash, at }: Point) =>
    createHmac("sha256", deps.key)
      .update(JSON.stringify([chain, number, hash, at]))
      .digest("hex");

  async function read(chain: string): Promise<Point | "forged" | null> {
    let text: string;
    try {
      text = (await deps.objects.read(keyOf(chain))).toString("utf8");
    } catch (error) {
      if (error instanceof ObjectNotFound) return null;
      throw error;
    }
    const parsed = Kept.safeParse(parseJson(text));
    if (!parsed.success || parsed.data.chain !== chain) return "forged";
    const point = { number: parsed.data.number, hash: parsed.data.hash, at: new Date(parsed.data.at) };
    return isSame(sign(chain, point), parsed.data.signature) ? point : "forged";
  }

  async function compare(chain: string) {
    const checkpoint = await read(chain);
    if (checkpoint === null) return { checkpoint: null, problem: null };
    if (checkpoint === "forged") return { checkpoint: null, problem: forged };
    const hash = await hashAt(deps.db, chain, checkpoint.number);
    return { checkpoint, problem: hash === checkpoint.hash ? null : checkpointMismatch(checkpoint.number) };
  }

  async function rewind(chain: string) {
    const checkpoint = await read(chain);
    if (checkpoint === null || checkpoint === "forged") return null;
    const last = await lastNumber(deps.db, chain);
    if (last >= checkpoint.number) return null;
    const bytes = await deps.objects.read(keyOf(chain));
    await deps.objects.put(`audit/superseded/${chain}-${checkpoint.number}.json`, bytes);
    await deps.objects.delete(keyOf(chain));
    return { checkpoint, last };
  }

  return {
    compare,
    rewind,
    async *chains() {
      for await (const { key } of deps.objects.list(place))
        yield key.slice(place.length).replace(/\.json$/, "");
    },
    async keep(chain, head) {
      const { checkpoint, problem } = await compare(chain);
      if (problem) return false;
      if (checkpoint && checkpoint.number >= head.number) return true;
      const kept = { chain, ...head, signature: sign(chain, head) };
      await deps.objects.put(keyOf(chain), Buffer.from(`${JSON.stringify(kept)}\n`));
      return true;
    },
  };
}

const forged: Problem = {
  code: "checkpoint_forged",
  seq: null,
  id: null,
  message: "The checkpoint stored outside the database was not signed by this instance.",
};

function isSame(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
