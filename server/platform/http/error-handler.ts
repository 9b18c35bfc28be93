/** Express knows a handler of errors by its four parameters; ours take the error and the exchange it ended. */
import type { ErrorRequestHandler, NextFunction, Request, Response } from "express";

export interface FailedExchange {
  req: Request;
  res: Response;
  next: NextFunction;
}

/** What `handle` throws goes to the next handler of errors. */
export function errorHandler(
  handle: (error: unknown, exchange: FailedExchange) => unknown,
): ErrorRequestHandler {
  // oxlint-disable-next-line max-params -- with fewer, Express would take it for a handler of requests
  return (error: unknown, req, res, next) => handle(error, { req, res, next });
}
