/** What a sync has to change, from the refs here and there. */
import type { RefChange } from "@forgeline/schemas/mirrors/resource.ts";
import { zeroId } from "../../../platform/git/refs/names.ts";
import type { RefUpdate } from "../../../platform/git/refs/ref-update.ts";

export type Refs = ReadonlyMap<string, string>;

export interface RefPlan {
  /** Refs of the source that are followed and allowed here, with their values. */
  wanted: Map<string, string>;
  /** Creations, updates and deletions, by name. */
  updates: RefUpdate[];
  /** About refs that are left out, as sentences. */
  notes: string[];
}

export interface PlanRules {
  follows(ref: string): boolean;
  prune: boolean;
  /** Why a ref is not allowed here; undefined where it is. */
  problemWith(ref: string): string | undefined;
}

const maxNotes = 20;

export function planChanges(here: Refs, there: Refs, { follows, prune, problemWith }: PlanRules): RefPlan {
  const wanted = new Map<string, string>();
  const left: string[] = [];
  for (const [ref, oid] of there) {
    if (!follows(ref)) continue;
    const problem = problemWith(ref);
    if (problem === undefined) wanted.set(ref, oid);
    else left.push(`${ref.slice(0, 200)} was left out: ${problem}.`);
  }
  const gone = prune ? [...here.keys()].filter((ref) => follows(ref) && !wanted.has(ref)) : [];
  const updates = [
    ...[...wanted].map(([ref, after]) => ({ ref, before: here.get(ref) ?? zeroId, after })),
    ...gone.map((ref) => ({ ref, before: here.get(ref) ?? zeroId, after: zeroId })),
  ].filter(({ before, after }) => before !== after);
  return { wanted, updates: byName(updates), notes: limited(left) };
}

function byName(updates: RefUpdate[]): RefUpdate[] {
  return updates.toSorted((a, b) => (a.ref < b.ref ? -1 : 1));
}

function limited(notes: string[]): string[] {
  const more = notes.length - maxNotes;
  return more > 0 ? [...notes.slice(0, maxNotes), `${more} more refs were left out.`] : notes;
}

/**
 * Git cannot delete `a` and create `a/b` in one step, since one is a file and the other a directory: such deletions go first. The
 * rest is one step.
 */
export function inSteps(updates: readonly RefUpdate[]): RefUpdate[][] {
  const created = updates.filter(({ before, after }) => before === zeroId && after !== zeroId);
  const parents = new Set(created.flatMap(({ ref }) => parentsOf(ref)));
  const names = new Set(created.map(({ ref }) => ref));
  const isInTheWay = ({ ref, after }: RefUpdate) =>
    after === zeroId && (parents.has(ref) || parentsOf(ref).some((parent) => names.has(parent)));
  const first = updates.filter(isInTheWay);
  const rest = updates.filter((update) => !isInTheWay(update));
  return [first, rest].filter((step) => step.length > 0);
}

function parentsOf(ref: string): string[] {
  const parts = ref.split("/");
  return parts.slice(1).map((_part, index) => parts.slice(0, index + 1).join("/"));
}

/** As it is shown. Whether it is forced is known only when the objects are there. */
export function changeOf({ ref, before, after }: RefUpdate): RefChange {
  if (before === zeroId) return { ref, change: "created", before: null, after };
  if (after === zeroId) return { ref, change: "deleted", before, after: null };
  return { ref, change: "updated", before, after };
}
