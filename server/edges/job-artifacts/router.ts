/**
 * Where runners bring and fetch artifacts of jobs, with the token of the job: it is looked up at each request, so it ends with
 * the lease. Jobs could call this too, for their own artifacts only; all that they can do so is limited.
 */
import { pipeline } from "node:stream/promises";
import { Router, type Request, type Response } from "express";
import {
  AnnouncePart,
  BeginUpload,
  CompleteUpload,
  jobArtifactsPath,
} from "@forgeline/schemas/artifacts/job-messages.ts";
import { idOf } from "@forgeline/schemas/core/ids.ts";
import type { z } from "zod";
import type { IdentityService } from "../../domains/accounts/domain.ts";
import type { ArtifactUploads, NeededArtifacts } from "../../domains/pipelines/domain.ts";
import { AppError } from "../../platform/app-error.ts";
import { parseJson, readBody } from "../../platform/http/json-body.ts";
import type { RequestContext } from "../../platform/http/request-context.ts";
import { bodyOf } from "../http/upload-body.ts";

export interface JobArtifactsDeps {
  identity: Pick<IdentityService, "authenticate">;
  artifactUploads: ArtifactUploads;
  neededArtifacts: NeededArtifacts;
}

interface Call {
  req: Request;
  res: Response;
  attemptId: string;
}

const maxBodyBytes = 4 * 1024;

export function createJobArtifactsRouter({ identity, ...services }: JobArtifactsDeps): Router {
  const router = Router();
  const calls = { ...uploadCalls(services), ...neededCalls(services) };
  for (const [address, call] of Object.entries(calls)) {
    const [method = "", path = ""] = address.split(" ");
    router[method as "get" | "post" | "put"](`${jobArtifactsPath}${path}`, async (req, res) => {
      res.locals["route"] = "job-artifacts";
      const actor = await identity.authenticate(req, res.locals["context"] as RequestContext);
      if (!actor.job)
        throw new AppError("forbidden", { message: "Only the token of a running job may do this." });
      const answer = await call({ req, res, attemptId: actor.job.attemptId });
      if (answer) res.setHeader("Cache-Control", "no-store").json(answer);
    });
  }
  return router;
}

/** By method and path; the answer as JSON, or nothing where it was sent already. */
type Calls = Record<string, (call: Call) => Promise<object | void>>;

function uploadCalls({ artifactUploads: uploads }: Pick<JobArtifactsDeps, "artifactUploads">): Calls {
  return {
    "post /uploads": async ({ req, attemptId }) => uploads.begin(attemptId, await read(req, BeginUpload)),
    "post /uploads/:id/parts": async ({ req, attemptId }) =>
      uploads.announce({ attemptId, id: idIn(req) }, await read(req, AnnouncePart)),
    "put /uploads/:id/parts/:number/:sha256": async ({ req, attemptId }) => {
      const { number, sha256 } = req.params;
      const part = checked(AnnouncePart, { number: Number(number), sha256 });
      await uploads.receive({ attemptId, id: idIn(req) }, part, bodyOf(req));
      return {};
    },
    "post /uploads/:id/complete": async ({ req, attemptId }) => {
      const { sha256 } = await read(req, CompleteUpload);
      await uploads.complete({ attemptId, id: idIn(req) }, sha256);
      return {};
    },
  };
}

function neededCalls({ neededArtifacts: needed }: Pick<JobArtifactsDeps, "neededArtifacts">): Calls {
  const wanted = ({ req, attemptId }: Call) => ({ attemptId, id: idIn(req) });
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

async function read<S extends z.ZodType>(req: Request, schema: S): Promise<z.output<S>> {
  return checked(schema, parseJson(await readBody(req, maxBodyBytes)));
}

function checked<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new AppError("validation_failed", {
    message: `${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""}`,
  });
}

function idIn(req: Request): string {
  const id = idOf("art").safeParse(req.params["id"]);
  if (!id.success) throw new AppError("not_found");
  return id.data;
}

function numberIn(req: Request): number {
  const { number } = checked(AnnouncePart.pick({ number: true }), { number: Number(req.params["number"]) });
  return number;
}
