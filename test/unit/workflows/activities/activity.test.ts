import { AppError } from "@forgeline/server/platform/app-error.ts";
import { activity } from "@forgeline/workflows/activities/activity.ts";
import pg from "pg";
import { expect, test } from "vitest";
import { z } from "zod";

function thrown(error: unknown): Promise<unknown> {
  const failing = activity(z.object({}), () => Promise.reject(error));
  return failing({}).catch((failure: unknown) => failure);
}

function ofPostgres(code: string): Error {
  return Object.assign(new pg.DatabaseError("as the test says", 1, "error"), { code });
}

test.each(["22P05", "22001", "23503", "23514", "54000"])("SQLSTATE %s is not tried again", async (code) => {
  expect(await thrown(ofPostgres(code))).toMatchObject({
    name: "ApplicationFailure",
    nonRetryable: true,
    type: code,
    message: "as the test says",
  });
});

test.each(["23505", "40001", "40P01", "42703", "53300", "55P03", "57P01", "ECONNREFUSED"])(
  "%s is, as it may pass",
  async (code) => {
    const error = ofPostgres(code);
    expect(await thrown(error)).toBe(error);
  },
);

test("errors of ours are as the table of errors says", async () => {
  expect(await thrown(new AppError("conflict"))).toMatchObject({ nonRetryable: true, type: "conflict" });
  expect(await thrown(new AppError("unavailable"))).toMatchObject({ nonRetryable: false });
});
