import { expect, test } from "vitest";
import { z } from "zod";
import { toFieldErrors } from "@forgeline/server/platform/http/field-errors.ts";

const Filled = z.strictObject({
  name: z.string().min(1).max(3),
  code: z.string().regex(/^x/),
  topic: z.string().regex(/^x/, "Begins with x."),
  scopes: z.array(z.string()).min(1),
  age: z.number().int().min(18),
  level: z.enum(["read", "write"]),
  email: z.email(),
  tags: z.array(z.string()),
});

const Own = z.object({
  name: z.string().refine((text) => text !== "root", { error: "Taken.", params: { code: "reserved" } }),
  topic: z.string().refine((text) => text !== "", "Say something."),
});

const messages = (value: unknown) =>
  Object.fromEntries(
    toFieldErrors(Filled.safeParse(value).error?.issues ?? []).map(({ field, message }) => [field, message]),
  );

test("says what is wrong with a field without words of a program", () => {
  expect(
    messages({
      name: "",
      code: "a",
      topic: "a",
      scopes: [],
      age: 17,
      level: "own",
      email: "x",
      tags: "a",
      more: 1,
    }),
  ).toEqual({
    name: "This must not be empty.",
    code: "This does not have the required format.",
    topic: "Begins with x.",
    scopes: "At least one entry is required.",
    age: "At least 18.",
    level: "One of: read, write.",
    email: "This is not an e-mail address.",
    tags: "This must be a list.",
    more: "Unknown field.",
  });
  expect(messages({ name: "abcd", age: 1.5 })).toMatchObject({
    name: "At most 3 characters.",
    age: "This must be a whole number.",
    code: "This is required.",
  });
});

test("a refinement may have a code of its own", () => {
  expect(toFieldErrors(Own.safeParse({ name: "root", topic: "" }).error?.issues ?? [])).toEqual([
    { field: "name", code: "reserved", message: "Taken." },
    { field: "topic", code: "invalid", message: "Say something." },
  ]);
});
