/** The addresses that a batch returns: upload, download and confirm one object. */
import type { Request, Response } from "express";
import { LfsVerifyRequest } from "@forgeline/schemas/lfs/messages.ts";
import type { RequestContext } from "../../platform/http/request-context.ts";
import { AppError } from "../../platform/app-error.ts";
import type { LfsAddress } from "./address.ts";
import { sendLfs } from "./answer.ts";
import { bodyOf } from "../http/upload-body.ts";
import { mismatch, type Lfs, type LinkMethod } from "../../domains/hosting/domain.ts";
import type { ReadMessage } from "./read-message.ts";
import { requireAnnounced, sendObject } from "./send-object.ts";

export interface LfsTransfer {
  req: Request;
  res: Response;
  address: LfsAddress;
  context: RequestContext;
}

export type LfsTransferName = "put" | "get" | "verify";

export interface LfsTransferHandlerDeps {
  lfs: Lfs;
  read: ReadMessage;
}

export function createLfsTransferHandlers({ lfs, read }: LfsTransferHandlerDeps) {
  const { admission, transfers } = lfs;

  async function open({ address, context }: LfsTransfer, method: LinkMethod) {
    const { place } = address;
    if (place.kind !== "object" && place.kind !== "verify") throw new AppError("not_found");
    const { link, actor } = await admission.byLink(address, { method, oid: place.oid }, context);
    const object = { oid: link.oid, sizeBytes: link.sizeBytes };
    return { link, object, actor, who: { repositoryId: link.repositoryId, userId: actor.userId } };
  }

  const moves: Record<LfsTransferName, (move: LfsTransfer) => Promise<void>> = {
    async put(move) {
      const { link, object, who } = await open(move, "PUT");
      requireAnnounced(move.req, link);
      await transfers.receive(who, object, bodyOf(move.req));
      sendLfs(move.res, 200, {});
    },
    async get(move) {
      const { link } = await open(move, "GET");
      await sendObject(transfers, link, { req: move.req, res: move.res });
    },
    async verify(move) {
      const { object, who, actor } = await open(move, "VERIFY");
      const { oid, size } = await read(move.req, actor, LfsVerifyRequest);
      if (oid !== object.oid || size !== object.sizeBytes)
        throw mismatch("This address is for another object, or another size.");
      await transfers.confirm(who, object);
      sendLfs(move.res, 200, {});
    },
  };
  return moves;
}
