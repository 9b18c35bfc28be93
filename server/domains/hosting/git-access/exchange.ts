/** One clone, fetch, push or archive over any transport: its directory, its slot, memory for its requests, and its push. */
import type { Actor } from "../../../platform/access/actor.ts";
import { assertRoom } from "../../../platform/disk-full.ts";
import { withinSlot } from "../../../platform/git/processes/admission.ts";
import { claimantOf } from "../../../platform/git/processes/exchange-claim.ts";
import type { Claim, GitSlots } from "../../../platform/git/processes/git-slots.ts";
import type { MakeRequestMemory, RequestMemory } from "../../../platform/git/processes/request-memory.ts";
import type { RepositoryStorage } from "../../../platform/git/storage/storage.ts";
import type { PushSession } from "../../../platform/git/transfer/push-session.ts";
import type { RepositoryRef } from "../../policy/domain.ts";
import type { PushService } from "../pushes/service.ts";

/** A program of Git that clients can run on the server. */
export type GitProgram = "upload-pack" | "upload-archive" | "receive-pack";

export interface GitExchange {
  directory: string;
  /**
   * Reserves memory for a request while it is being received, of at most so many bytes. Close it when the request is answered.
   */
  requestMemory(maxBytes?: number): RequestMemory;
  /**
   * Waits for a slot and does the work under it. A later call has begun, and is not ended by a full queue. Throws
   * `unavailable` where there is no slot in time.
   */
  underSlot<T>(client: Pick<Claim, "client" | "gone">, work: () => Promise<T>): Promise<T>;
  /** Of an exchange that was granted for `receive-pack`. Throws `unavailable` where the disk has no room. */
  beginPush(): Promise<PushSession>;
}

export interface GitExchangeDeps {
  storage: Pick<RepositoryStorage, "check" | "directory">;
  pushes: Pick<PushService, "begin">;
  exchangeSlots: Pick<GitSlots, "enter">;
  requestMemory: MakeRequestMemory;
}

interface ExchangeFor {
  repository: RepositoryRef;
  actor: Actor;
  program: GitProgram;
  /** To single branches, of a push. */
  isInvited: boolean;
}

/** For an actor who may run the program there. */
export function createGitExchange(
  { storage, pushes, exchangeSlots, requestMemory }: GitExchangeDeps,
  { repository, actor, program, isInvited }: ExchangeFor,
): GitExchange {
  const directory = storage.directory(repository.id);
  const claimant = claimantOf(actor, repository);
  let hasBegun = false;
  return {
    directory,
    requestMemory: (maxBytes) => requestMemory(claimant, maxBytes),
    async underSlot({ client, gone }, work) {
      const claim = { repositoryId: repository.id, ...claimant, client, gone, hasBegun };
      const leave = await exchangeSlots.enter(claim);
      hasBegun = true;
      return withinSlot(work).finally(leave);
    },
    async beginPush() {
      if (program !== "receive-pack") throw new Error(`${program} was granted, which begins no push`);
      await assertRoom(directory);
      return pushes.begin(repository, actor, { isInvited });
    },
  };
}
