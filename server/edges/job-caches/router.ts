/**
 * Where runners restore and save caches of jobs, with the token of the job: it is looked up at each request, so it ends with
 * the lease. Jobs could call this too, for the caches of their own file and in their own scope only.
 */
import { pipeline } from "node:stream/promises";
import type { Router } from "express";
import {
  AnnounceCachePart,
  BeginCache,
  CompleteCache,
  jobCachesPath,
  LookUpCache,
} from "@forgeline/schemas/caches/job-messages.ts";
import type { IdentityService } from "../../domains/accounts/domain.ts";
import type { JobCaches } from "../../domains/pipelines/domain.ts";
import { checked, idIn, jobRouter, read, type JobCall, type JobCalls } from "../http/job-router.ts";
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

function savingCalls(caches: JobCaches): JobCalls {
  return {
    "post /entries": async ({ req, attemptId }) => caches.begin(attemptId, await read(req, BeginCache)),
    "post /entries/:id/parts": async (call) =>
      caches.announce(named(call), await read(call.req, AnnounceCachePart)),
    "put /entries/:id/parts/:number/:sha256": async (call) => {
      const { number, sha256 } = call.req.params;
      const PutPart = AnnounceCachePart.pick({ number: true, sha256: true });
      await caches.receive(
        named(call),
        checked(PutPart, { number: Number(number), sha256 }),
        bodyOf(call.req),
      );
      return {};
    },
    "post /entries/:id/complete": async (call) => {
      const { parts } = await read(call.req, CompleteCache);
      return caches.complete(named(call), parts);
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
