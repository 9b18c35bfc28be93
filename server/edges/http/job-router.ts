/** Addresses that take the token of a running job, and nothing else. */
import { Router, type Request, type Response } from "express";
import { idOf, type IdPrefix } from "@forgeline/schemas/core/ids.ts";
import type { z } from "zod";
import type { IdentityService } from "../../domains/accounts/domain.ts";
import { AppError } from "../../platform/app-error.ts";
import { parseJson, readBody } from "../../platform/http/json-body.ts";
import type { RequestContext } from "../../platform/http/request-context.ts";

interface Call {
  req: Request;
  res: Response;
}

export interface JobCall extends Call {
  attemptId: string;
}

/** By method and path; the answer as JSON, or nothing where it was sent already. */
export type Calls<C extends Call> = Record<string, (call: C) => Promise<object | void>>;
export type JobCalls = Calls<JobCall>;

/** Of keys with their beginnings, at most. */
const maxBodyBytes = 32 * 1024;

interface Place {
  /** Of the route in logs and metrics. */
  name: string;
  path: string;
}

/** For the job whose token comes with the request. */
export function jobRouter(
  identity: Pick<IdentityService, "authenticate">,
  place: Place,
  calls: JobCalls,
): Router {
  return callRouter(place, calls, async ({ req, res }) => {
    const actor = await identity.authenticate(req, res.locals["context"] as RequestContext);
    if (!actor.job)
      throw new AppError("forbidden", { message: "Only the token of a running job may do this." });
    return { req, res, attemptId: actor.job.attemptId };
  });
}

/** `enter` says who calls, or throws. */
export function callRouter<C extends Call>(
  place: Place,
  calls: Calls<C>,
  enter: (call: Call) => Promise<C>,
): Router {
  const router = Router();
  for (const [address, call] of Object.entries(calls)) {
    const [method = "", path = ""] = address.split(" ");
    router[method as "get" | "post" | "put"](`${place.path}${path}`, async (req, res) => {
      res.locals["route"] = place.name;
      const answer = await call(await enter({ req, res }));
      if (answer) res.setHeader("Cache-Control", "no-store").json(answer);
    });
  }
  return router;
}

/** The body. Throws `validation_failed`. */
export async function read<S extends z.ZodType>(req: Request, schema: S): Promise<z.output<S>> {
  return checked(schema, parseJson(await readBody(req, maxBodyBytes)));
}

/** Throws `validation_failed`. */
export function checked<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new AppError("validation_failed", {
    message: `${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""}`,
  });
}

/** The id in the path. Throws `not_found` for what is none of this kind. */
export function idIn(req: Request, prefix: IdPrefix): string {
  const id = idOf(prefix).safeParse(req.params["id"]);
  if (!id.success) throw new AppError("not_found");
  return id.data;
}
