/**
 * Pushes: an intent before any ref moves, the record after, in one transaction with what follows from it. Refs live outside the
 * database, so intents that stay open are compared with the refs and confirmed or refused: a crash in between loses nothing and
 * repeats nothing. `docs/walkthroughs/push.md` describes each step.
 */
import type { Database } from "../../../platform/db/database.ts";
import { againAfterDeadlock } from "../../../platform/db/deadlock.ts";
import type { RunGit } from "../../../platform/git/processes/run-git.ts";
import type { RepositoryStorage } from "../../../platform/git/storage/storage.ts";
import { crashPoint } from "../../../platform/crash-point.ts";
import type { Logger } from "../../../platform/logger.ts";
import type { LiveProcesses } from "../../../platform/live-processes.ts";
import { systemActor, type Actor } from "../../../platform/access/actor.ts";
import type { RepositoryRef } from "../../policy/domain.ts";
import type { RefGuard } from "../protections/guard.ts";
import type { MergePass } from "../protections/merge-pass.ts";
import type { KeyOwners } from "../../accounts/domain.ts";
import { createCertificateRules } from "./certificates.ts";
import type { ContentRules } from "./content-rules.ts";
import { pushDirectly } from "./direct-push.ts";
import type { PushCause, PushFollower, RecordedPush } from "./push.ts";
import type { RefUpdate } from "../../../platform/git/refs/ref-update.ts";
import { recordSignature } from "./record-signature.ts";
import { createSession } from "./session.ts";
import type { PushSession } from "../../../platform/git/transfer/push-session.ts";
import { createPushReconciler } from "./reconcile-pushes.ts";
import { markRecorded } from "./pushes.store.ts";
import { takeRefs, type TakenRefs } from "./take-refs.ts";

export interface PushService {
  /** One push of one client. The caller has checked that the actor may write, or is invited to branches (`push-right.ts`). */
  begin(repository: RepositoryRef, actor: Actor, right?: { isInvited: boolean }): PushSession;
  /**
   * Moves one ref for an operation of ours, by the way of every push. Throws `conflict` when it is not at `before` any
   * more, and a refusal's own code. The caller has checked that the actor may write, or says that they are invited (`push-right.ts`), and looked for secrets;
   * `overridden` are those that pass all the same, as `path:line`. `pass`: what rules ask where a merge request moves a branch.
   * `isStillMeant` is asked right before the ref moves; false: `conflict`.
   */
  move(
    repository: RepositoryRef,
    actor: Actor,
    change: {
      update: RefUpdate;
      overridden?: readonly string[];
      pass?: MergePass;
      isInvited?: boolean;
      isStillMeant?: () => Promise<boolean>;
    },
  ): Promise<void>;
  /**
   * Moves refs to objects that come from elsewhere, all of them or none, by the way of every push: of a mirror, or for an actor whose
   * fork is synced, and who may write. Throws `conflict` when one of them is not at `before` any more, and a refusal's own code.
   */
  take(repository: RepositoryRef, taken: TakenRefs, actor?: Actor): Promise<void>;
  /** Settles intents that were left open; the number settled. May run in many processes at once. */
  settleOpen(): Promise<number>;
  /** Settles every open intent, however young: to be called while nobody can push. */
  settleAll(): Promise<number>;
  /** Removes locks on these refs and on the files of all refs that no process holds; returns how many. */
  removeLocks(repositoryId: string, refs: readonly string[]): Promise<number>;
  /** Settles at once and then at intervals, until `close`. */
  start(): void;
  close(): void;
}

export interface PushServiceDeps {
  db: Database;
  storage: RepositoryStorage;
  runGit: RunGit;
  presence: LiveProcesses;
  /** Before what follows, which asks for the default branch. Must do nothing the second time. Gives lines for the pusher. */
  adoptFirstBranch(push: RecordedPush, actor: Actor): Promise<string[]>;
  followers(): readonly PushFollower[];
  refGuard: RefGuard;
  contentRules: ContentRules;
  keyHolders: Pick<KeyOwners, "find">;
  /** Past it a repository takes no new content. */
  maxRepositoryBytes: number;
  logger: Logger;
  /** Age at which an intent counts as left open, and at which one whose refs did not all move is given up. */
  settleAfterMs?: number;
  giveUpAfterMs?: number;
}

const settleEveryMs = 2_000;
/** A follower that fails this often must not hold the record of the push back forever. */
const maxFollowerFailures = 20;
const nothingFollows = { adoptFirstBranch: () => Promise.resolve([]), followers: () => [] };

export function createPushService(deps: PushServiceDeps): PushService {
  const { db, logger } = deps;
  /** Pushes under way in this process, which `settleOpen` leaves alone. */
  const live = new Set<string>();
  const failures = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;

  /** `actor` is the pusher, if the push itself names one. */
  async function record(push: RecordedPush, actor: Actor = systemActor): Promise<string[]> {
    try {
      // Followers lock what the push concerns in an order of their own each.
      return await againAfterDeadlock(() => recordWith(push, actor, deps));
    } catch (error) {
      const count = (failures.get(push.id) ?? 0) + 1;
      failures.set(push.id, count);
      if (count < maxFollowerFailures) throw error;
      const lines = await recordWith(push, actor, nothingFollows);
      logger.error({ err: error, push_id: push.id }, "recorded a push, but could not run what it triggers");
      return lines;
    }
  }

  async function recordWith(
    push: RecordedPush,
    actor: Actor,
    { adoptFirstBranch, followers }: Pick<PushServiceDeps, "adoptFirstBranch" | "followers">,
  ): Promise<string[]> {
    const first = await adoptFirstBranch(push, actor);
    const writes = await Promise.all(followers().map((follower) => follower.prepare(push, actor)));
    crashPoint("push.after-refs-before-record");
    const lines = await db.transaction(async (tx) => {
      if (!(await markRecorded(tx, push))) return [];
      await recordSignature(tx, push, actor);
      const told = [...first];
      for (const write of writes) told.push(...(await write(tx)));
      return told;
    });
    failures.delete(push.id);
    crashPoint("push.after-record-before-answer");
    return lines;
  }

  async function advise(push: RecordedPush, actor: Actor): Promise<string[]> {
    try {
      const advice = deps.followers().map(async (follower) => (await follower.advise?.(push, actor)) ?? []);
      return (await Promise.all(advice)).flat();
    } catch (error) {
      logger.warn({ err: error, push_id: push.id }, "could not say what can be done with what was pushed");
      return [];
    }
  }

  function schedule(delayMs: number): void {
    timer = setTimeout(() => {
      void pushReconciler
        .settleOpen()
        .catch((error: Error) => logger.warn({ error: error.message }, "could not look for open pushes"))
        .finally(() => timer && schedule(settleEveryMs));
    }, delayMs);
    timer.unref();
  }

  const { settleAfterMs = 3_000, giveUpAfterMs = 60_000 } = deps;
  const pushReconciler = createPushReconciler({ ...deps, live, record, settleAfterMs, giveUpAfterMs });
  const services = { ...deps, certificateRules: createCertificateRules(deps) };
  const sessionOf = (
    repository: RepositoryRef,
    actor: Actor,
    {
      cause = "push",
      isByClient = false,
      isInvited = false,
      knownOverrides = [],
      pass,
    }: {
      cause?: PushCause;
      isByClient?: boolean;
      isInvited?: boolean;
      knownOverrides?: readonly string[];
      pass?: MergePass | undefined;
    },
  ) =>
    createSession({
      repository,
      actor,
      cause,
      live,
      record,
      advise,
      ...pushReconciler,
      deps: services,
      isByClient,
      isInvited,
      knownOverrides,
      pass,
    });

  return {
    begin: (repository, actor, { isInvited } = { isInvited: false }) =>
      sessionOf(repository, actor, { isByClient: true, isInvited }),
    take: (repository, taken, actor) =>
      takeRefs({
        session: actor
          ? sessionOf(repository, actor, { cause: "fork_sync" })
          : sessionOf(repository, systemActor, { cause: "mirror_sync" }),
        runGit: deps.runGit,
        directory: deps.storage.directory(repository.id),
        taken,
      }),
    move: (repository, actor, { update, overridden = [], pass, isStillMeant, isInvited = false }) =>
      pushDirectly({
        session: sessionOf(repository, actor, { knownOverrides: overridden, pass, isInvited }),
        runGit: deps.runGit,
        directory: deps.storage.directory(repository.id),
        update,
        isStillMeant,
      }),
    settleOpen: () => pushReconciler.settleOpen(),
    removeLocks: pushReconciler.removeLocks,
    async settleAll() {
      const thorough = createPushReconciler({ ...deps, live, record, settleAfterMs: 0, giveUpAfterMs: 0 });
      let total = 0;
      for (let some = await thorough.settleOpen(); some > 0; some = await thorough.settleOpen())
        total += some;
      return total;
    },
    start: () => schedule(0),
    close() {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}
