/**
 * Where runners bring and fetch artifacts of jobs, with the token of the job: it is looked up at each request, so it ends with
 * the lease. Jobs could call this too, for their own artifacts only; all that they can do so is limited.
 */
import { pipeline } from "node:stream/promises";
import { Router, type NextFunction, type Request, type Response } from "express";
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

export function createJobArtifactsRouter(deps: JobArtifactsDeps): Router {
  const { artifactUploads: uploads, neededArtifacts: needed } = deps;
  const router = Router();

  /** Answers with what `work` gives, as JSON; nothing where it has answered by itself. */
  function handle(work: (call: Call) => Promise<object | void>) {
    return (req: Request, res: Response, next: NextFunction) => {
      res.locals["route"] = "job-artifacts";
      attemptOf(req, res)
        .then((attemptId) => work({ req, res, attemptId }))
        .then((answer) => {
          if (answer) res.setHeader("Cache-Control", "no-store").json(answer);
        })
        .catch(next);
    };
  }

  async function attemptOf(req: Request, res: Response): Promise<string> {
    const actor = await deps.identity.authenticate(req, res.locals["context"] as RequestContext);
    if (!actor.job)
      throw new AppError("forbidden", { message: "Only the token of a running job may do this." });
    return actor.job.attemptId;
  }

  const at = (path: string) => `${jobArtifactsPath}${path}`;
  router.post(
    at("/uploads"),
    handle(async ({ req, attemptId }) => uploads.begin(attemptId, await read(req, BeginUpload))),
  );
  router.post(
    at("/uploads/:id/parts"),
    handle(async ({ req, attemptId }) =>
      uploads.announce({ attemptId, id: idIn(req) }, await read(req, AnnouncePart)),
    ),
  );
  router.put(
    at("/uploads/:id/parts/:number/:sha256"),
    handle(async ({ req, attemptId }) => {
      const part = checked(AnnouncePart, {
        number: Number(req.params["number"]),
        sha256: req.params["sha256"],
      });
      await uploads.receive({ attemptId, id: idIn(req) }, part, bodyOf(req));
      return {};
    }),
  );
  router.post(
    at("/uploads/:id/complete"),
    handle(async ({ req, attemptId }) => {
      const { sha256 } = await read(req, CompleteUpload);
      await uploads.complete({ attemptId, id: idIn(req) }, sha256);
      return {};
    }),
  );
  router.post(
    at("/needed"),
    handle(({ attemptId }) => needed.list(attemptId)),
  );
  router.post(
    at("/artifacts/:id/parts/:number"),
    handle(async ({ req, attemptId }) => ({
      direct: await needed.addressOf({ attemptId, id: idIn(req) }, numberIn(req)),
    })),
  );
  router.get(
    at("/artifacts/:id/parts/:number"),
    handle(async ({ req, res, attemptId }) => {
      const part = await needed.open({ attemptId, id: idIn(req) }, numberIn(req));
      res.setHeader("Content-Type", "application/octet-stream");
      // What is cut off is asked for again.
      await pipeline(part, res).catch(() => res.destroy());
    }),
  );
  return router;
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
