/** What a sync has to send, from the refs on both sides and from what was sent before. Nothing that somebody else did there is undone. */
import type { DivergedRef } from "@forgeline/schemas/push-mirrors/resource.ts";
import { zeroId } from "../../../platform/git/refs/names.ts";
import type { RefUpdate } from "../../../platform/git/refs/ref-update.ts";

export type Refs = ReadonlyMap<string, string>;

/** As the rows of `pushed_refs`. */
export interface KnownRef {
  oid: string | null;
  sent_oid: string | null;
}

export interface PushRules {
  follows(ref: string): boolean;
  prune: boolean;
  force: boolean;
}

export interface PushPlan {
  /** To be sent, each only over the value that it has there; by name. */
  updates: RefUpdate[];
  /** Branches that have another value there than we know of: to be sent where that is an older one of ours. */
  doubtful: RefUpdate[];
  /** Left as they are there. */
  diverged: DivergedRef[];
  /** The same on both sides. */
  equal: Map<string, string>;
  /** Known refs that are on neither side any more. */
  gone: string[];
  /** Refs that only the target has, and that we never pushed. */
  foreign: string[];
}

export function planPush(
  { here, there, known }: { here: Refs; there: Refs; known: ReadonlyMap<string, KnownRef> },
  rules: PushRules,
): PushPlan {
  const plan: PushPlan = { updates: [], doubtful: [], diverged: [], equal: new Map(), gone: [], foreign: [] };
  const names = new Set([...here.keys(), ...there.keys()].filter(rules.follows));
  for (const ref of [...names].toSorted()) {
    const at = { ref, before: there.get(ref) ?? zeroId, after: here.get(ref) ?? zeroId };
    if (at.before === at.after) plan.equal.set(ref, at.after);
    else if (at.after === zeroId) planDeletion(plan, { at, known: known.get(ref), rules });
    else if (at.before === zeroId || rules.force || isOurs(at.before, known.get(ref))) plan.updates.push(at);
    else if (ref.startsWith("refs/heads/")) plan.doubtful.push(at);
    else plan.diverged.push(divergedOf(at));
  }
  plan.gone = [...known.keys()].filter((ref) => !here.has(ref) && !there.has(ref));
  return plan;
}

function planDeletion(
  plan: PushPlan,
  { at, known, rules }: { at: RefUpdate; known: KnownRef | undefined; rules: PushRules },
): void {
  if (rules.prune && (rules.force || isOurs(at.before, known))) plan.updates.push(at);
  else if (!known) plan.foreign.push(at.ref);
  else if (rules.prune) plan.diverged.push(divergedOf(at));
}

function isOurs(oid: string, known: KnownRef | undefined): boolean {
  return known !== undefined && (known.oid === oid || known.sent_oid === oid);
}

export function divergedOf({ ref, before, after }: RefUpdate): DivergedRef {
  return { ref, here: after === zeroId ? null : after, there: before };
}

const maxRefs = 200;
const maxBytes = 60_000;

/** As many at a time as the arguments of a program have room for. */
export function inParts(updates: readonly RefUpdate[]): RefUpdate[][] {
  const parts: RefUpdate[][] = [];
  let bytes = 0;
  for (const update of updates) {
    bytes += update.ref.length * 2 + 200;
    const last = parts.at(-1);
    if (last && last.length < maxRefs && bytes <= maxBytes) last.push(update);
    else {
      parts.push([update]);
      bytes = update.ref.length * 2 + 200;
    }
  }
  return parts;
}
