/** The operations that clients call with a credential: batches and locks. */
import type { Request, Response } from "express";
import type { z } from "zod";
import {
  LfsBatchRequest,
  LfsLockCreate,
  LfsLockQuery,
  LfsLockVerify,
  LfsUnlock,
} from "@forgeline/schemas/lfs/messages.ts";
import { AppError } from "../../platform/app-error.ts";
import type { LfsAddress } from "./address.ts";
import { sendLfs } from "./answer.ts";
import type { LfsCallers } from "./callers.ts";
import type { Lfs, LfsCaller, LfsOperation } from "../../domains/hosting/domain.ts";
import { parseMessage, type ReadMessage } from "./read-message.ts";

export interface LfsApiCall {
  req: Request;
  res: Response;
  address: LfsAddress;
  caller: LfsCaller;
}

export type LfsApiCallName = "batch" | "listLocks" | "lock" | "verifyLocks" | "unlock";

export interface LfsApiHandlerDeps {
  lfs: Lfs;
  callers: LfsCallers;
  read: ReadMessage;
}

export function createLfsApiHandlers({ lfs, callers, read: readMessage }: LfsApiHandlerDeps) {
  const { locks } = lfs;
  const admit = ({ res, caller, address }: LfsApiCall, operation: LfsOperation) =>
    callers.admit(res, caller, { operation, address });
  const read = async <S extends z.ZodType>({ req, res, caller, address }: LfsApiCall, schema: S) => {
    await callers.beforeBody(res, caller, address);
    return readMessage(req, caller.actor, schema);
  };

  const calls: Record<LfsApiCallName, (call: LfsApiCall) => Promise<void>> = {
    async batch(call) {
      const request = await read(call, LfsBatchRequest);
      const { repository, credential, actor } = await admit(call, request.operation);
      const input = { repository, credential, userId: actor.userId };
      sendLfs(call.res, 200, await lfs.batch.answer(input, request));
    },
    async listLocks(call) {
      const { repository } = await admit(call, "listLocks");
      const query = parseMessage(LfsLockQuery, Object.fromEntries(call.address.query));
      const { rows, next } = await locks.list(repository.id, query);
      sendLfs(call.res, 200, { locks: rows, ...(next && { next_cursor: next }) });
    },
    async lock(call) {
      const { path } = await read(call, LfsLockCreate);
      const { repository, actor } = await admit(call, "lock");
      sendLfs(call.res, 201, { lock: await locks.create(actor, repository.id, path) });
    },
    async verifyLocks(call) {
      const query = await read(call, LfsLockVerify);
      const { repository, actor } = await admit(call, "verifyLocks");
      const { rows, next } = await locks.verify(actor, repository.id, query);
      const of = (isOurs: boolean) => rows.filter(({ ours }) => ours === isOurs).map(({ lock }) => lock);
      sendLfs(call.res, 200, { ours: of(true), theirs: of(false), ...(next && { next_cursor: next }) });
    },
    async unlock(call) {
      const { force } = await read(call, LfsUnlock);
      const { repository, actor } = await admit(call, "unlock");
      const { place } = call.address;
      if (place.kind !== "unlock") throw new AppError("not_found");
      const lock = await locks.remove(actor, {
        repositoryId: repository.id,
        id: place.id,
        force: force ?? false,
      });
      sendLfs(call.res, 200, { lock });
    },
  };
  return calls;
}
