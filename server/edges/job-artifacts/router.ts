/**
 * Where runners bring and fetch artifacts of jobs, with the token of the job: it is looked up at each request, so it ends with
 * the lease. Jobs could call this too, for their own artifacts only; all that they can do so is limited.
 */
import { pipeline } from "node:stream/promises";
import type { Request, Router } from "express";
import {
  AnnouncePart,
  BeginUpload,
  CompleteUpload,
  jobArtifactsPath,
} from "@forgeline/schemas/artifacts/job-messages.ts";
import type { IdentityService } from "../../domains/accounts/domain.ts";
import type { ArtifactUploads, NeededArtifacts } from "../../domains/pipelines/domain.ts";
import { checked, idIn, jobRouter, read, type JobCall, type JobCalls } from "../http/job-router.ts";
import { bodyOf } from "../http/upload-body.ts";

export interface JobArtifactsDeps {
  identity: Pick<IdentityService, "authenticate">;
  artifactUploads: ArtifactUploads;
  neededArtifacts: NeededArtifacts;
}

export function createJobArtifactsRouter({ identity, ...services }: JobArtifactsDeps): Router {
  const calls = { ...uploadCalls(services), ...neededCalls(services) };
  return jobRouter(identity, { name: "job-artifacts", path: jobArtifactsPath }, calls);
}

function uploadCalls({ artifactUploads: uploads }: Pick<JobArtifactsDeps, "artifactUploads">): JobCalls {
  return {
    "post /uploads": async ({ req, attemptId }) => uploads.begin(attemptId, await read(req, BeginUpload)),
    "post /uploads/:id/parts": async ({ req, attemptId }) =>
      uploads.announce({ attemptId, id: idIn(req, "art") }, await read(req, AnnouncePart)),
    "put /uploads/:id/parts/:number/:sha256": async ({ req, attemptId }) => {
      const { number, sha256 } = req.params;
      const part = checked(AnnouncePart, { number: Number(number), sha256 });
      await uploads.receive({ attemptId, id: idIn(req, "art") }, part, bodyOf(req));
      return {};
    },
    "post /uploads/:id/complete": async ({ req, attemptId }) => {
      const { sha256 } = await read(req, CompleteUpload);
      await uploads.complete({ attemptId, id: idIn(req, "art") }, sha256);
      return {};
    },
  };
}

function neededCalls({ neededArtifacts: needed }: Pick<JobArtifactsDeps, "neededArtifacts">): JobCalls {
  const wanted = ({ req, attemptId }: JobCall) => ({ attemptId, id: idIn(req, "art") });
  return {
    "post /needed": ({ attemptId }) => needed.list(attemptId),
    "post /artifacts/:id/parts/:number": async (call) => ({
      direct: await needed.addressOf(wanted(call), numberIn(call.req)),
    }),
    "get /artifacts/:id/parts/:number": async (call) => {
      const part = await needed.open(wanted(call), numberIn(call.req));
      call.res.setHeader("Content-Type", "application/octet-stream");
      // What is cut off is asked for again.
      await pipeline(part, call.res).catch(() => call.res.destroy());
    },
  };
}

function numberIn(req: Request): number {
  const { number } = checked(AnnouncePart.pick({ number: true }), { number: Number(req.params["number"]) });
  return number;
}
