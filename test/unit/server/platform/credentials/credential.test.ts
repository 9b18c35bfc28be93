import { expect, test } from "vitest";
import {
  newAccessToken,
  newSessionToken,
  parseCredential,
} from "@forgeline/server/platform/credentials/credential.ts";

const token = newAccessToken("pat");
const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`;

test("Bearer and Basic give the same credential; the user name does not matter", () => {
  const expected = { kind: "token", token, from: "header" };
  for (const header of [`Bearer ${token}`, `bearer  ${token}`, basic(`x:${token}`), basic(`:${token}`)])
    expect(parseCredential({ authorization: header })).toEqual(expected);
  expect(parseCredential({})).toEqual({ kind: "none" });
});

test("a mistyped token is known without the database", () => {
  for (let i = 8; i < token.length; i++) {
    const wrong = `${token.slice(0, i)}${token[i] === "a" ? "b" : "a"}${token.slice(i + 1)}`;
    expect(parseCredential({ authorization: `Bearer ${wrong}` })).toEqual({ kind: "invalid" });
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
  expect(parseCredential({ authorization: header })).toEqual({ kind: "invalid" });
});

test("tokens are never made twice", () => {
  expect(new Set(Array.from({ length: 1000 }, () => newAccessToken("pat"))).size).toBe(1000);
});

const cookie = (value: string) => `theme=dark; __Host-forgeline_session=${value}`;

test.each([token, newSessionToken()])("a cookie holds the same tokens: %#", (each) => {
  expect(parseCredential({ cookie: cookie(each) })).toEqual({ kind: "token", token: each, from: "cookie" });
});

test("a header wins over a cookie, valid or not", () => {
  const both = { authorization: `Bearer ${token}`, cookie: cookie(newSessionToken()) };
  expect(parseCredential(both)).toEqual({ kind: "token", token, from: "header" });
  expect(parseCredential({ ...both, authorization: "" })).toEqual({ kind: "invalid" });
});

test.each([
  "",
  "x=y",
  cookie(""),
  cookie("nonsense"),
  cookie(`${token}x`),
  `${cookie(token)}; __Host-forgeline_session=${newSessionToken()}`,
  `forgeline_session=${token}`,
])("a cookie that is none of ours counts as none: %#", (header) => {
  expect(parseCredential({ cookie: header })).toEqual({ kind: "none" });
});
