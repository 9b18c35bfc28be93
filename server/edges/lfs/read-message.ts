/** Messages of Git LFS, which share the memory for bodies with REST. */
import type { Request } from "express";
import type { z } from "zod";
import { largeBodyBytes } from "@forgeline/schemas/core/route.ts";
import { bytesToCome, type BodyMemory } from "../../platform/http/body-memory.ts";
import { parseJson, readBody } from "../../platform/http/json-body.ts";
import { AppError } from "../../platform/app-error.ts";
import type { Actor } from "../../platform/access/actor.ts";
import { subjectOf } from "../../platform/access/subject.ts";
import { requireLfsJson } from "./answer.ts";

/**
 * Throws `unsupported_media_type`, `payload_too_large`, `bad_request`, `validation_failed`, and what `BodyRoom.reserve` throws.
 */
export type ReadMessage = <S extends z.ZodType>(
  req: Request,
  actor: Actor,
  schema: S,
) => Promise<z.output<S>>;

export function createReadMessage(bodies: BodyMemory): ReadMessage {
  return async (req, actor, schema) => {
    requireLfsJson(req);
    const subject = subjectOf(actor);
    const free = subject && bodies.reserve(subject.key, bytesToCome(req, largeBodyBytes));
    try {
      const bytes = await readBody(req, largeBodyBytes);
      return parseMessage(schema, bytes.length === 0 ? {} : parseJson(bytes));
    } finally {
      free?.();
    }
  };
}

/** Throws `validation_failed`. */
export function parseMessage<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const field = issue?.path.join(".") ?? "";
  throw new AppError("validation_failed", {
    message: field ? `${field}: ${issue?.message}` : "The request does not follow the Git LFS specification.",
  });
}
