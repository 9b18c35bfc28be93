/**
 * Checkpoints of chains, signed and stored outside the database: whoever rewrites or truncates a chain in the database cannot
 * change these. One object per chain, replaced only by a later point of the same chain.
 */
import { z } from "zod";
import type { Queryable } from "../../../platform/db/database.ts";
import { signatureBytes, type Signer } from "../../../platform/keys/signer.ts";
import { ObjectNotFound, type ObjectStore } from "../../../platform/objects/object-store.ts";
import { createAnchorSigner } from "./anchors.ts";
import { findCovering } from "./anchors.store.ts";
import { changedHeads, hashAt, lastNumber, type Point } from "./chain.store.ts";
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
  /** The same for the head of every chain; so each is signed with the current key. Those that contradict are left. */
  keepAll(): Promise<void>;
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
  signer: Signer;
}): Checkpoints {
  const anchorSigner = createAnchorSigner(deps.signer);
  const keyOf = (chain: string) => `${place}${chain}.json`;
  const signed = (chain: string, { number, hash, at }: Point) => JSON.stringify([chain, number, hash, at]);

  /** `isCurrent`: the current key signed it, not an earlier one. */
  async function read(chain: string): Promise<{ point: Point; isCurrent: boolean } | "forged" | null> {
    let json: string;
    try {
      json = (await deps.objects.read(keyOf(chain))).toString("utf8");
    } catch (error) {
      if (error instanceof ObjectNotFound) return null;
      throw error;
    }
    const parsed = Kept.safeParse(parseJson(json));
    if (!parsed.success || parsed.data.chain !== chain) return "forged";
    const point = { number: parsed.data.number, hash: parsed.data.hash, at: new Date(parsed.data.at) };
    const text = signed(chain, point);
    const signature = Buffer.from(parsed.data.signature, "hex");
    if (!deps.signer.proves(signature, signatureBytes, text)) return "forged";
    return { point, isCurrent: deps.signer.sign(text).equals(signature) };
  }

  /** Of an entry that has expired, the anchor in its place is what there is to compare. */
  async function agrees(chain: string, { number, hash }: Point): Promise<boolean> {
    const found = await hashAt(deps.db, chain, number);
    if (found !== undefined) return found === hash;
    const anchor = await findCovering(deps.db, chain, number);
    if (!anchor || !anchorSigner.proves(chain, anchor)) return false;
    if (anchor.last > (await lastNumber(deps.db, chain))) return false;
    return anchor.last > number || anchor.hash === hash;
  }

  async function compare(chain: string) {
    const found = await read(chain);
    if (found === null) return { checkpoint: null, problem: null };
    if (found === "forged") return { checkpoint: null, problem: forged };
    const { point: checkpoint, isCurrent } = found;
    const problem = (await agrees(chain, checkpoint)) ? null : checkpointMismatch(checkpoint.number);
    return { checkpoint, isCurrent, problem };
  }

  async function keep(chain: string, head: Point): Promise<boolean> {
    const { checkpoint, isCurrent, problem } = await compare(chain);
    if (problem) return false;
    const isBehind = !checkpoint || checkpoint.number < head.number;
    if (!isBehind && isCurrent) return true;
    const point = isBehind ? head : checkpoint;
    const kept = { chain, ...point, signature: deps.signer.sign(signed(chain, point)).toString("hex") };
    await deps.objects.put(keyOf(chain), Buffer.from(`${JSON.stringify(kept)}\n`));
    return true;
  }

  async function rewind(chain: string) {
    const found = await read(chain);
    if (found === null || found === "forged") return null;
    const checkpoint = found.point;
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
    keep,
    async keepAll() {
      for (const { chain, ...head } of await changedHeads(deps.db, new Date(0))) await keep(chain, head);
    },
  };
}

const forged: Problem = {
  code: "checkpoint_forged",
  seq: null,
  id: null,
  message: "The checkpoint stored outside the database was not signed by this instance.",
};

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
