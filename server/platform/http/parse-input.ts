/** Parses what a contract declares out of a request; every issue of a part is told at once. */
import type { Request } from "express";
import type { z } from "zod";
import { defaultBodyBytes, type RouteContract } from "@forgeline/schemas/core/route.ts";
import { AppError } from "../app-error.ts";
import { isStorable, unstorablePaths } from "../storable-text.ts";
import { fieldsRefused, toFieldErrors } from "./field-errors.ts";
import { hasBody, parseJson, readBody, requireJson } from "./json-body.ts";
import { clampPage } from "./paging.ts";
import { protoMembers } from "./proto-members.ts";
import { PageQuery } from "@forgeline/schemas/core/pagination.ts";

/** A path that cannot name anything names nothing: `not_found`. */
export function parseParams(contract: RouteContract, req: Request): unknown {
  if (!contract.params) return {};
  const parsed = contract.params.safeParse({ ...req.params });
  if (!parsed.success || unstorablePaths(parsed.data).length > 0) throw new AppError("not_found");
  return parsed.data;
}

export function parseQuery(contract: RouteContract, search: URLSearchParams): unknown {
  const given: Record<string, string> = {};
  for (const [name, value] of search) {
    if (Object.hasOwn(given, name))
      throw badQuery([{ field: name, code: "repeated", message: "Given more than once." }]);
    if (!isStorable(name) || !isStorable(value))
      throw badQuery([{ field: isStorable(name) ? name : "", ...notText }]);
    Object.defineProperty(given, name, { value, enumerable: true });
  }
  if (!contract.query) {
    const unknown = Object.keys(given).map((field) => ({
      field,
      code: "unknown_field",
      message: "Unknown parameter.",
    }));
    if (unknown.length > 0) throw badQuery(unknown);
    return {};
  }
  const parsed = contract.query.safeParse(given);
  if (!parsed.success) throw badQuery(toFieldErrors(parsed.error.issues));
  if (!contract.paginated) return parsed.data;
  return {
    ...parsed.data,
    ...clampPage(PageQuery.parse({ page: parsed.data["page"], per_page: parsed.data["per_page"] })),
  };
}

function badQuery(errors: ReturnType<typeof toFieldErrors>): AppError {
  const text = errors.slice(0, 5).map((e) => `${e.field}: ${e.message}`);
  return fieldsRefused("bad_request", errors, `The query is not valid. ${text.join(" ")}`.slice(0, 1000));
}

const notText = { code: "invalid", message: "Text must not contain NUL or unpaired surrogates." };

export interface ParsedBody {
  /** Exactly what was sent, for `Idempotency-Key`. */
  bytes: Buffer;
  value: unknown;
}

/** One for all: each buffer of its own is work for the garbage collector. */
const noBytes = Buffer.alloc(0);

/** An absent body counts as `{}`, so that its missing fields are named. */
export async function parseBody(contract: RouteContract, req: Request): Promise<ParsedBody> {
  const schema: z.ZodType | undefined = contract.body;
  if (!schema) return { bytes: noBytes, value: undefined };
  const present = hasBody(req);
  if (present) requireJson(req);
  const bytes = present ? await readBody(req, contract.bodyLimitBytes ?? defaultBodyBytes) : noBytes;
  const given = bytes.length > 0 ? parseJson(bytes) : {};
  const parsed = schema.safeParse(given);
  if (!parsed.success) throw fieldsRefused("validation_failed", toFieldErrors(parsed.error.issues));
  const unstorable = unstorablePaths(given);
  if (unstorable.length > 0)
    throw fieldsRefused(
      "validation_failed",
      unstorable.map((field) => ({ field, ...notText })),
    );
  const ignored = protoMembers(given);
  if (ignored.length > 0)
    throw fieldsRefused(
      "validation_failed",
      ignored.map((field) => ({ field, code: "unknown_field", message: "Unknown field." })),
    );
  return { bytes, value: parsed.data };
}
