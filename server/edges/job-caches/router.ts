/**
 * Where runners restore and save caches of jobs, with the token of the job: it is looked up at each request, so it ends with
 * the lease. Jobs could call this too, for the caches of their own file and in their own scope only.
 */
import { pipeline } from "node:stream/promises";
import type { Request, Response, Router } from "express";
import {
  AnnounceCachePart,
  BeginCache,
  cacheUploadsPath,
  CompleteCache,
  jobCachesPath,
  LookUpCache,
} from "@forgeline/schemas/caches/job-messages.ts";
import type { IdentityService } from "../../domains/accounts/domain.ts";
import type { JobCaches } from "../../domains/pipelines/domain.ts";
import { AppError } from "../../platform/app-error.ts";
import { hashToken, parseCredential } from "../../platform/credentials/credential.ts";
import {
  callRouter,
  checked,
  idIn,
  jobRouter,
  read,
  type Calls,
  type JobCall,
  type JobCalls,
} from "../http/job-router.ts";
import { bodyOf } from "../http/upload-body.ts";

export interface JobCachesDeps {
  identity: Pick<IdentityService, "authenticate">;
  jobCaches: JobCaches;
}

export function createJobCachesRouter({ identity, jobCaches }: JobCachesDeps): Router {
  const calls = { ...savingCalls(jobCaches), ...restoringCalls(jobCaches) };
  return jobRouter(identity, { name: "job-caches", path: jobCachesPath }, calls);
}

const named = ({ req, attemptId }: JobCall) => ({ attemptId, id: idIn(req, "cache") });

/** For what was handed over: the job may be over. The token is looked at with the entry that it names. */
export function createCacheUploadsRouter({ jobCaches }: Pick<JobCachesDeps, "jobCaches">): Router {
  const calls = sendingCalls<UploadCall>(jobCaches, ({ req, tokenHash }) => ({
    id: idIn(req, "cache"),
    tokenHash,
  }));
  return callRouter({ name: "cache-uploads", path: cacheUploadsPath }, calls, async ({ req, res }) => {
    const credential = parseCredential(req.headers);
    if (credential.kind !== "token" || credential.from !== "header") throw new AppError("unauthorized");
    return { req, res, tokenHash: hashToken(credential.token) };
  });
}

interface UploadCall {
  req: Request;
  res: Response;
  tokenHash: Buffer;
}

function savingCalls(caches: JobCaches): JobCalls {
  return {
    "post /entries": async ({ req, attemptId }) => caches.begin(attemptId, await read(req, BeginCache)),
    "post /entries/:id/hand-over": async (call) => caches.handOver(named(call)),
    ...sendingCalls(caches, named),
  };
}

/** `nameOf`: what is sent, for whoever may. */
function sendingCalls<C extends { req: Request; res: Response }>(
  caches: JobCaches,
  nameOf: (call: C) => Parameters<JobCaches["announce"]>[0],
): Calls<C> {
  return {
    "post /entries/:id/parts": async (call) =>
      caches.announce(nameOf(call), await read(call.req, AnnounceCachePart)),
    "put /entries/:id/parts/:number/:sha256": async (call) => {
      const { number, sha256 } = call.req.params;
      const PutPart = AnnounceCachePart.pick({ number: true, sha256: true });
      await caches.receive(
        nameOf(call),
        checked(PutPart, { number: Number(number), sha256 }),
        bodyOf(call.req),
      );
      return {};
    },
    "post /entries/:id/complete": async (call) => {
      const { parts } = await read(call.req, CompleteCache);
      return caches.complete(nameOf(call), parts);
    },
  };
}

function restoringCalls(caches: JobCaches): JobCalls {
  const numberIn = ({ req }: JobCall) =>
    checked(AnnounceCachePart.pick({ number: true }), { number: Number(req.params["number"]) }).number;
  return {
    "post /lookup": async ({ req, attemptId }) => caches.lookUp(attemptId, await read(req, LookUpCache)),
    "post /entries/:id/parts/:number/address": async (call) => ({
      direct: await caches.addressOf(named(call), numberIn(call)),
    }),
    "get /entries/:id/parts/:number": async (call) => {
      const part = await caches.open(named(call), numberIn(call));
      call.res.setHeader("Content-Type", "application/octet-stream");
      // What is cut off is asked for again.
      await pipeline(part, call.res).catch(() => call.res.destroy());
    },
  };
}
