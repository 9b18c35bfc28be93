import { expect, test } from "vitest";
import { newPersonalToken, parseCredential } from "@forgeline/server/features/identity/credential.ts";

const token = newPersonalToken();
const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`;

test("Bearer and Basic give the same credential; the user name does not matter", () => {
  const expected = { kind: "token", token };
  for (const header of [`Bearer ${token}`, `bearer  ${token}`, basic(`x:${token}`), basic(`:${token}`)])
    expect(parseCredential(header)).toEqual(expected);
  expect(parseCredential(undefined)).toEqual({ kind: "none" });
});

test("a mistyped token is known without the database", () => {
  for (let i = 8; i < token.length; i++) {
    const wrong = `${token.slice(0, i)}${token[i] === "a" ? "b" : "a"}${token.slice(i + 1)}`;
    expect(parseCredential(`Bearer ${wrong}`)).toEqual({ kind: "invalid" });
  }
});

test.each([
  "",
  "Bearer",
  "Bearer ",
  `Token ${token}`,
  token,
  `Bearer ${token} x`,
  basic(token),
  basic("a:b"),
  "Basic %%%",
  `Bearer ${token}\0`,
])("refuses %j", (header) => {
  expect(parseCredential(header)).toEqual({ kind: "invalid" });
});

test("tokens are never made twice", () => {
  expect(new Set(Array.from({ length: 1000 }, newPersonalToken)).size).toBe(1000);
});
