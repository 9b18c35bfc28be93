/** Bodies stay whole JSON within their limit, whatever is in them. */
import { expect, test } from "vitest";
import { maxBodyBytes, toBody } from "@forgeline/server/domains/automation/webhooks/trim.ts";

const long = (length: number) => "x".repeat(length);

test("what fits is not changed", () => {
  const value = { event: "push", commits: [{ message: "Grüße" }], total: 1, none: null };
  expect(toBody(value)).toBe(JSON.stringify(value));
});

test("long text is cut, and said to be", () => {
  const body = JSON.parse(toBody({ commits: [{ message: long(100_000) }] })) as {
    truncated: boolean;
    commits: { message: string }[];
  };
  expect(body.truncated).toBe(true);
  expect(body.commits[0]?.message).toHaveLength(65_536);
  expect(body.commits[0]?.message.endsWith("… (cut)")).toBe(true);
});

test("never through the middle of a character", () => {
  const body = toBody({ message: "😀".repeat(40_000) });
  expect(body).not.toContain("\\ud8");
  expect(JSON.parse(body)).toMatchObject({ truncated: true });
});

test.each([
  ["long messages", { commits: Array.from({ length: 40 }, () => ({ message: long(1_000_000) })) }],
  [
    "very many short ones",
    { commits: Array.from({ length: 150_000 }, (_, at) => ({ sha: `${at}`.repeat(60) })) },
  ],
  ["lists in lists", { a: Array.from({ length: 400 }, () => Array.from({ length: 400 }, () => long(250))) }],
])("%s fit after all", (_name, value) => {
  const body = toBody(value);
  expect(Buffer.byteLength(body)).toBeLessThanOrEqual(maxBodyBytes);
  expect(JSON.parse(body)).toMatchObject({ truncated: true });
});

test("the same comes out each time", () => {
  const value = { commits: Array.from({ length: 400 }, (_, at) => ({ message: long(50_000 + at) })) };
  expect(toBody(value, 1_000_000)).toBe(toBody(structuredClone(value), 1_000_000));
  expect(Buffer.byteLength(toBody(value, 1_000_000))).toBeLessThanOrEqual(1_000_000);
});
