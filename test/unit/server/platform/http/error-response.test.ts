import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { expect, test } from "vitest";
import {
  createErrorResponder,
  isDatabaseUnreachable,
} from "@forgeline/server/platform/http/error-response.ts";
import { AppError } from "@forgeline/server/platform/app-error.ts";
import { createLogger } from "@forgeline/server/platform/logger.ts";

const responder = createErrorResponder({
  docsUrl: "https://h/docs",
  logger: createLogger({ name: "t", level: "silent" }),
});
const withCode = (code: string, message = "x") => Object.assign(new Error(message), { code });

test("what nobody expected shows nothing of itself", () => {
  const answer = responder.answer(new Error("password=hunter2 at /srv/x.ts"), "req-1");
  expect(answer).toEqual({
    status: 500,
    headers: {},
    body: {
      error: "internal_error",
      message: "Something went wrong on our side.",
      documentation_url: "https://h/docs/errors#internal_error",
      request_id: "req-1",
    },
  });
});

test("extra members and Retry-After of an expected error are sent", () => {
  const error = new AppError("conflict", {
    message: "no",
    extra: { conflicts: ["a"] },
    retryAfterSeconds: 0.2,
  });
  expect(responder.answer(error, "r")).toMatchObject({
    status: 409,
    headers: { "Retry-After": "1" },
    body: { error: "conflict", message: "no", conflicts: ["a"] },
  });
});

test("what was said of the resource is not said of an error", () => {
  const res = new ServerResponse(new IncomingMessage(new Socket()));
  for (const name of ["ETag", "Link", "Location", "Content-Disposition"]) res.setHeader(name, "x");
  res.setHeader("X-RateLimit-Limit", "5000");
  responder.send(res, new AppError("not_found"), "r");
  expect(res.statusCode).toBe(404);
  const own = ["cache-control", "content-length", "content-type", "vary"];
  expect(Object.keys(res.getHeaders()).sort()).toEqual([...own, "x-ratelimit-limit"]);
});

test.each([
  withCode("ECONNREFUSED"),
  withCode("57P01"),
  withCode("53300"),
  new Error("Connection terminated unexpectedly"),
  new AggregateError([withCode("ECONNREFUSED"), withCode("ECONNREFUSED")]),
  withCode("40P01"),
])("a database that is away, or undid a request for another, is 503 with Retry-After (%s)", (error) => {
  expect(responder.answer(error, "r")).toMatchObject({
    status: 503,
    headers: { "Retry-After": "2" },
    body: { error: "unavailable", request_id: "r" },
  });
});

test("a missing file or a broken statement is not an absent database", () => {
  expect(isDatabaseUnreachable(withCode("ENOENT"))).toBe(false);
  expect(isDatabaseUnreachable(withCode("42P01"))).toBe(false);
  expect(isDatabaseUnreachable("ECONNREFUSED")).toBe(false);
});
