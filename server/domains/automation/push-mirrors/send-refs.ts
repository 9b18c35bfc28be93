/**
 * The work of one sync: lists what the target has, decides what it shall get, sends large files, and then refs, each only over the
 * value that was seen there. Safe to cut off anywhere and to begin again.
 */
import type { RefChange } from "@forgeline/schemas/mirrors/resource.ts";
import type { DivergedRef } from "@forgeline/schemas/push-mirrors/resource.ts";
import { crashPoint } from "../../../platform/crash-point.ts";
import type { Database } from "../../../platform/db/database.ts";
import { isAncestor } from "../../../platform/git/history/is-ancestor.ts";
import type { Git } from "../../../platform/git/processes/run-git.ts";
import { zeroId } from "../../../platform/git/refs/names.ts";
import type { RefUpdate } from "../../../platform/git/refs/ref-update.ts";
import { allRefs } from "../../../platform/git/refs/refs.ts";
import { listRemoteRefs } from "../../../platform/git/remote/list-remote-refs.ts";
import type { Remote } from "../../../platform/git/remote/open-remote.ts";
import { pushRefs, type PushLimits } from "../../../platform/git/remote/push-refs.ts";
import type { PushedRef } from "../../../platform/git/remote/push-status.ts";
import { listChanges } from "../mirrors/list-changes.ts";
import { createRefFilter } from "../mirrors/ref-patterns.ts";
import { RemoteProblem } from "../mirrors/sync-problem.ts";
import type { Outcome, Progress } from "../mirrors/syncs.store.ts";
import { divergedOf, inParts, planPush, type KnownRef, type PushPlan, type Refs } from "./plan-push.ts";
import { forget, listKnown, noteEqual, noteSending } from "./pushed-refs.store.ts";

export interface Sending {
  mirror: { id: string; refs: readonly string[]; prune: boolean; force: boolean };
  /** Of the bare repository. */
  directory: string;
  remote: Remote;
  signal: AbortSignal;
  progress(progress: Partial<Progress>): void;
  /** To be called with what is about to change there, before it does. */
  plan(changes: Pick<Outcome, "changedRefs" | "refs">): Promise<void>;
  /** Sends large files that are in `tips` and not in `without`; returns how many, and what was left out. */
  sendLfs(tips: readonly string[], without: readonly string[]): Promise<{ objects: number; notes: string[] }>;
  /** The target may lack large files of before. */
  needsLfs: boolean;
}

export interface SendRefsDeps {
  db: Database;
  git: Git;
  limits: PushLimits;
}

export interface Sent {
  outcome: Outcome;
  diverged: DivergedRef[];
  /** Refs that the target did not take. */
  refused: { ref: string; reason: string }[];
  /** What the target said beside that. */
  said: string;
}

const maxForeign = 5;

/** Throws what `problemOf` understands, and whatever is no problem of the target. */
export async function sendRefs(deps: SendRefsDeps, sending: Sending): Promise<Sent> {
  const { db, git } = deps;
  const { mirror, directory, remote, signal } = sending;
  const there = (await listRemoteRefs(git.run, remote, { directory, signal })).refs;
  const here = await allRefs(git.start, directory);
  const known = await listKnown(db, mirror.id);
  const follows = createRefFilter(mirror.refs);
  const followed = followedIn(here, follows);
  const plan = planPush({ here, there, known }, { ...mirror, follows });
  if (known.size > 0 && followed.length === 0)
    throw new RemoteProblem(
      "No branch or tag is left here that this mirror pushes. Nothing was changed at the target.",
    );
  await decideDoubtful(git, directory, plan);
  await noteEqual(
    db,
    mirror.id,
    changedValues(plan.equal, (ref) => known.get(ref)?.oid),
  );
  await noteEqual(db, mirror.id, arrived(plan, known));
  await forget(db, mirror.id, plan.gone);
  const notes = notesOf(plan, here);
  const sent: Sent = {
    outcome: { changedRefs: 0, bytes: 0, lfsObjects: 0, refs: [], notes },
    diverged: plan.diverged,
    refused: [],
    said: "",
  };
  if (plan.updates.length === 0 && !sending.needsLfs) return sent;
  const lfs = await sendLargeFiles(sending, { plan, followed, there });
  sent.outcome.lfsObjects = lfs.objects;
  notes.push(...lfs.notes);
  const refs = await listChanges(git.run, directory, plan.updates);
  await sending.plan({ changedRefs: plan.updates.length, refs });
  sending.progress({ step: "sending", lfsObjects: lfs.objects });
  await sendParts(deps, sending, { updates: plan.updates, refs, sent });
  return sent;
}

/** Branches whose value there is an older one of here go on; others are left. */
async function decideDoubtful(git: Git, directory: string, plan: PushPlan): Promise<void> {
  for (const update of plan.doubtful) {
    const { before, after } = update;
    if (await isAncestor(git.run, { directory, quarantine: null, before, after })) plan.updates.push(update);
    else plan.diverged.push(divergedOf(update));
  }
  plan.diverged.sort((a, b) => (a.ref < b.ref ? -1 : 1));
}

function changedValues(
  values: Refs,
  before: (ref: string) => string | null | undefined,
): Map<string, string> {
  return new Map([...values].filter(([ref, oid]) => before(ref) !== oid));
}

/**
 * Values that a sync had sent before it was cut off, and that have arrived. Sending others writes over what it had noted, and this one may be
 * cut off as well: they would look like somebody else's.
 */
function arrived({ updates }: PushPlan, known: ReadonlyMap<string, KnownRef>): Map<string, string> {
  const ours = updates.filter(({ ref, before }) => known.get(ref)?.sent_oid === before);
  return new Map(ours.map(({ ref, before }) => [ref, before]));
}

function notesOf({ foreign }: PushPlan, here: Refs): string[] {
  const shown = foreign.slice(0, maxForeign).join(", ");
  const more = foreign.length - maxForeign;
  return [
    ...(here.size === 0 ? ["The repository is empty."] : []),
    ...(foreign.length > 0
      ? [`Left alone, since only the target has it: ${shown}${more > 0 ? ` and ${more} more` : ""}.`]
      : []),
  ];
}

function followedIn(here: Refs, follows: (ref: string) => boolean): string[] {
  return [...here].filter(([ref]) => follows(ref)).map(([, oid]) => oid);
}

/** Before the refs that need them. */
async function sendLargeFiles(
  sending: Sending,
  { plan, followed, there }: { plan: PushPlan; followed: readonly string[]; there: Refs },
): Promise<{ objects: number; notes: string[] }> {
  sending.progress({ step: "lfs" });
  if (sending.needsLfs) return sending.sendLfs(followed, []);
  const tips = plan.updates.map(({ after }) => after).filter((oid) => oid !== zeroId);
  return sending.sendLfs(tips, [...new Set(there.values())]);
}

interface Parts {
  updates: readonly RefUpdate[];
  /** The first of them, as they are shown. */
  refs: readonly RefChange[];
  /** What became of them is added to it. */
  sent: Sent;
}

async function sendParts(
  { db, git, limits }: SendRefsDeps,
  { mirror, directory, remote, signal, progress }: Sending,
  { updates, refs, sent }: Parts,
): Promise<void> {
  const moved = new Set<string>();
  for (const part of inParts(updates)) {
    const before = sent.outcome.bytes;
    const values = new Map(
      part.filter(({ after }) => after !== zeroId).map(({ ref, after }) => [ref, after]),
    );
    await noteSending(db, mirror.id, values);
    const onProgress = (bytes: number) => progress({ bytes: before + bytes });
    const pushed = await pushRefs(git.start, remote, {
      directory,
      updates: part,
      watch: { signal, limits, onProgress },
    });
    crashPoint("push_mirror.sent-before-recorded");
    const byRef = new Map(pushed.refs.map(({ ref, problem }) => [ref, problem]));
    for (const update of part) note(sent, update, byRef.get(update.ref));
    const taken = part.filter(({ ref }) => byRef.get(ref) === null);
    for (const { ref } of taken) moved.add(ref);
    await noteEqual(db, mirror.id, new Map([...values].filter(([ref]) => moved.has(ref))));
    await forget(
      db,
      mirror.id,
      taken.filter(({ after }) => after === zeroId).map(({ ref }) => ref),
    );
    sent.outcome.bytes = before + pushed.bytes;
    sent.outcome.changedRefs = moved.size;
    sent.outcome.refs = refs.filter(({ ref }) => moved.has(ref));
    sent.said = pushed.said;
    progress({ bytes: sent.outcome.bytes });
  }
}

function note(sent: Sent, update: RefUpdate, problem: PushedRef["problem"] | undefined): void {
  const { ref } = update;
  if (problem === null) return;
  if (problem === undefined) sent.refused.push({ ref, reason: "it did not say why" });
  else if (problem.kind === "stale") sent.diverged.push(divergedOf(update));
  else sent.refused.push({ ref, reason: problem.reason });
}
