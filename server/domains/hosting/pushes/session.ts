/** One push of one client, from the check of its updates to the record of those that happened. */
import type { Database, Queryable, Transaction } from "../../../platform/db/database.ts";
import type { Verdict } from "../../../platform/git/transfer/push-hooks.ts";
import type { PushSession } from "../../../platform/git/transfer/push-session.ts";
import type { RunGit } from "../../../platform/git/processes/run-git.ts";
import { presentRefs } from "../../../platform/git/refs/present-refs.ts";
import type { RepositoryStorage } from "../../../platform/git/storage/storage.ts";
import { crashPoint } from "../../../platform/crash-point.ts";
import { newId } from "../../../platform/ids.ts";
import type { Logger } from "../../../platform/logger.ts";
import type { LiveProcesses } from "../../../platform/live-processes.ts";
import { recordAudit } from "../../operation/domain.ts";
import type { GuardedPush, GuardVerdict, RefGuard } from "../protections/guard.ts";
import type { MergePass } from "../protections/merge-pass.ts";
import { pusherOf, systemActor, type Actor } from "../../../platform/access/actor.ts";
import { reachOf } from "../../../platform/access/reach.ts";
import { excludesRepository } from "../../../platform/access/requirement.ts";
import type { RepositoryRef } from "../../policy/domain.ts";
import type { CertificateRules } from "./certificates.ts";
import type { ContentRules } from "./content-rules.ts";
import { checkRefUpdates } from "./check-ref-updates.ts";
import type { PushCause, PushIntent, RecordedPush } from "./push.ts";
import { zeroId } from "../../../platform/git/refs/names.ts";
import type { RefUpdate } from "../../../platform/git/refs/ref-update.ts";
import { insertIntent, markRefused, type IntentAnswer } from "./pushes.store.ts";

interface SessionDeps {
  repository: RepositoryRef;
  actor: Actor;
  cause: PushCause;
  live: Set<string>;
  record(push: RecordedPush, actor: Actor): Promise<string[]>;
  /** Never throws. */
  advise(push: RecordedPush, actor: Actor): Promise<string[]>;
  settle(intent: PushIntent): Promise<void>;
  freeLocks(repositoryId: string, refs: readonly string[]): Promise<void>;
  deps: SessionServices;
  /** A Git client moves the refs: what it does not find as it said, Git refuses later on, each ref by itself. */
  isByClient: boolean;
  /** The actor has no Write there, and pushes to single branches. */
  isInvited: boolean;
  /** Secrets that the caller of an operation allows, as `path:line`. */
  knownOverrides: readonly string[];
  /** Of the merge request that moves the branch. */
  pass: MergePass | undefined;
}

export interface SessionServices {
  db: Database;
  storage: Pick<RepositoryStorage, "directory">;
  runGit: RunGit;
  presence: Pick<LiveProcesses, "id">;
  refGuard: RefGuard;
  contentRules: ContentRules;
  certificateRules: CertificateRules;
  maxRepositoryBytes: number;
  logger: Logger;
}

export function createSession(session: SessionDeps): PushSession {
  const { repository, actor, cause, live, record, settle, freeLocks, deps, isByClient, knownOverrides } =
    session;
  const following = session.isInvited ? onlyHere(actor, repository) : actor;
  const beganMs = performance.now();
  let intent: PushIntent | undefined;
  let recording: Promise<string[]> | undefined;
  let asksEachRef = false;
  /** The problem with each ref of the list, undefined for none; set once the whole list was checked. */
  let verdicts: ReadonlyMap<string, string | undefined> | undefined;

  async function abandon(): Promise<void> {
    if (!intent) return;
    await markRefused(deps.db, intent.id);
    live.delete(intent.id);
    intent = undefined;
  }

  async function store(
    push: PushIntent,
    { hasObjects, ...unusual }: Unusual & { hasObjects: boolean },
  ): Promise<IntentAnswer | "uninvited"> {
    // What was judged meanwhile takes time, in which an author or an owner may end what they allowed.
    const { isInvited } = session;
    if (!(await deps.refGuard.isStillInvited({ repository, actor, updates: push.updates, isInvited })))
      return "uninvited";
    const ageMs = performance.now() - beganMs;
    const maxRepositoryBytes = hasObjects ? deps.maxRepositoryBytes : null;
    const insert = (db: Queryable) =>
      insertIntent(db, push, { ageMs, maxRepositoryBytes, writer: deps.presence.id });
    if (!isUnusual(unusual)) return insert(deps.db);
    return deps.db.transaction(async (tx) => {
      const inserted = await insert(tx);
      if (inserted === "accepted")
        await recordUnusual(tx, { actor, repository, updates: push.updates }, unusual);
      return inserted;
    });
  }

  /** Protections are for people; a mirror has what its source has. */
  async function judged(updates: readonly RefUpdate[], quarantine: string | null): Promise<GuardVerdict> {
    if (cause === "mirror_sync") return { refusals: new Map(), bypassed: null, invitations: [] };
    const { pass, isInvited } = session;
    return deps.refGuard.judge({ repository, actor, updates, quarantine, pass, isInvited });
  }

  /** Those that are as the client believes: the others cannot happen, and must not be taken for what somebody else does now. */
  async function possible(updates: readonly RefUpdate[]): Promise<RefUpdate[]> {
    if (!isByClient) return [...updates];
    const refs = updates.map(({ ref }) => ref);
    const present = await presentRefs(deps.runGit, deps.storage.directory(repository.id), refs);
    return updates.filter(({ ref, before }) => present.get(ref) === before);
  }

  return {
    async judgesEachRef() {
      asksEachRef = await deps.refGuard.hasRules(repository.id);
      return asksEachRef;
    },
    mayMove(ref) {
      if (!verdicts?.has(ref)) return refused([]);
      const problem = verdicts.get(ref);
      return problem === undefined ? { accept: true, lines: [] } : refused([`${ref}: ${problem}`]);
    },
    async beforeRefsMove({ updates, options, quarantine, certificate, isAtomic, tooLarge }) {
      const problems = checkRefUpdates(updates, repository.defaultBranch);
      if (problems.length > 0) return refused(problems);
      const pusher = cause === "mirror_sync" ? sync : pusherOf(actor);
      if (!pusher) return refused([nobody(actor)]);
      const { refusals, ...rights } = await judged(updates, quarantine);
      if (refusals.size > 0 && (!asksEachRef || refusals.size === updates.length))
        return refused(Array.from(refusals, ([ref, problem]) => `${ref}: ${problem}`));
      const allowed = updates.filter(({ ref }) => !refusals.has(ref));
      const directory = deps.storage.directory(repository.id);
      const signed =
        certificate && pusher.id !== null
          ? await deps.certificateRules.judge({ directory, quarantine, certificate, pusherId: pusher.id })
          : { signature: null };
      if ("problem" in signed) return refused([signed.problem]);
      const content =
        quarantine === null
          ? { problems: [], overridden: knownOverrides }
          : await deps.contentRules.judge({ directory, quarantine, updates, options, tooLarge });
      if (content.problems.length > 0) return refused(content.problems);
      await freeLocks(
        repository.id,
        allowed.map(({ ref }) => ref),
      );
      const meant = await possible(allowed);
      if (meant.length === 0) return refused(allowed.map(({ ref }) => `${ref}: ${elsewhere}`));
      const push = { ...intentOf(repository, actor, { pusher, cause }), updates: meant, options, ...signed };
      live.add(push.id);
      intent = { ...push, atomic: isAtomic, reach: reachOf(following) };
      const { overridden } = content;
      const answer = await store(intent, { overridden, ...rights, hasObjects: quarantine !== null });
      if (answer !== "accepted") return intentRefusals[answer];
      verdicts = new Map(updates.map(({ ref }) => [ref, refusals.get(ref)]));
      crashPoint("push.after-intent");
      return { accept: true, lines: [] };
    },
    async afterRefsMoved(all) {
      const updates = all.filter(({ before, after }) => before !== after || after === zeroId);
      if (!intent || updates.length === 0) return [];
      const push = { ...intent, updates };
      recording = record(push, following);
      const told = await recording;
      // Which only the pusher reads.
      return isByClient ? [...told, ...(await session.advise(push, actor))] : told;
    },
    abandon,
    async finish() {
      if (!intent) return;
      try {
        const recorded = await recording?.then(
          () => true,
          () => false,
        );
        if (!recorded) await settle(intent);
      } catch (error) {
        deps.logger.warn(
          { err: error, push_id: intent.id },
          "a push is not recorded yet; it will be settled",
        );
      } finally {
        live.delete(intent.id);
      }
    },
  };
}

const elsewhere = "it has changed in the meantime: fetch, and push again";
const sync = { id: null, username: systemActor.username };

/**
 * For what follows a push by invitation: the branch has files of people who may do less elsewhere than whoever pushes, so what these
 * files ask for is done with the pusher's rights in this repository, and with none elsewhere.
 */
function onlyHere(actor: Actor, { id }: RepositoryRef): Actor {
  return { ...actor, repositoryIds: excludesRepository(actor, id) ? [] : [id] };
}

function intentOf(
  { id: repositoryId }: RepositoryRef,
  { job }: Actor,
  { pusher, cause }: { pusher: { id: string | null; username: string }; cause: PushCause },
) {
  const { id: userId, username } = pusher;
  return { id: newId("push"), repositoryId, cause, userId, username, jobId: job?.id ?? null };
}

const intentRefusals: Record<Exclude<IntentAnswer, "accepted"> | "uninvited", Verdict> = {
  uninvited: { accept: false, lines: ["You may not push to this branch any more."] },
  closed: {
    accept: false,
    lines: ["The repository is archived and read-only."],
    code: "repository_archived",
  },
  mirrored: {
    accept: false,
    lines: [
      "The repository is a mirror and read-only, or is still being imported. Push to its source, or wait.",
    ],
    code: "repository_mirrored",
  },
  cleaned: {
    accept: false,
    lines: ["Content is being removed from the repository. Try again in a minute."],
    code: "conflict",
  },
  full: {
    accept: false,
    lines: ["The repository has reached the size limit. Ask an administrator."],
    code: "quota_exceeded",
  },
  replayed: {
    accept: false,
    lines: ["The certificate of this push has already been used by another push. Push again."],
  },
};

/** What an auditor wants to know of a push. */
interface Unusual extends Omit<GuardVerdict, "refusals"> {
  /** Places of secrets that pass all the same. */
  overridden: readonly string[];
}

function isUnusual({ overridden, bypassed, invitations }: Unusual): boolean {
  return overridden.length > 0 || bypassed !== null || invitations.length > 0;
}

async function recordUnusual(
  tx: Transaction,
  { actor, repository, updates }: Pick<GuardedPush, "actor" | "repository" | "updates">,
  { overridden: places, bypassed, invitations }: Unusual,
): Promise<void> {
  const action = "push.override" as const;
  const name = `${repository.owner}/${repository.name}`;
  const target = { type: "repository", id: repository.id, name } as const;
  if (places.length > 0)
    await recordAudit(tx, actor, { action, target, details: { rule: "secrets", places } });
  for (const { branch, mergeRequest: merge_request } of invitations)
    await recordAudit(tx, actor, { action: "push.invited", target, details: { branch, merge_request } });
  if (!bypassed) return;
  const { mergeRequest: merge_request, reason, missing } = bypassed;
  // One that loses to another push is tried again with another commit, and has an entry of its own.
  const commit = updates[0]?.after;
  const details = { rule: "branch_protection", merge_request, commit, reason, missing };
  await recordAudit(tx, actor, { action, target, details });
}

function refused(lines: string[]): Verdict {
  return { accept: false, lines: lines.slice(0, 20) };
}

function nobody(actor: Actor): string {
  return actor.deployKey
    ? "The user who added this deploy key was deleted or suspended, and a push must be attributed to a user: add the key again."
    : "Only users can push.";
}
