import { expect, test } from "vitest";
import { isOfDomains, readClaims } from "@forgeline/server/domains/organizations/sso/claims.ts";

test.each([
  [{ preferred_username: "ada" }, "ada"],
  [{ preferred_username: "ada@corp.example" }, "ada"],
  [{ preferred_username: "Ada Lovelace" }, "Ada-Lovelace"],
  [{ preferred_username: "adé" }, "ade"],
  [{ preferred_username: "admin/../x", email: "b@x.example" }, "admin-..-x"],
  [{ preferred_username: "api", email: "ada@x.example" }, "ada"],
  [{ preferred_username: ".git", nickname: "nick" }, "git"],
  [{ preferred_username: "x.git", nickname: "nick" }, "nick"],
  [{ preferred_username: "名前" }, ""],
  [{ preferred_username: 7, email: "b@x.example" }, "b"],
  [{}, ""],
])("%j suggests the name %j", (claims, name) => {
  expect(readClaims({ sub: "1", ...claims }).suggestedUsername).toBe(name);
});

test("what cannot be stored or shown is left out; without a subject there is nobody", () => {
  const claims = readClaims({
    sub: "1",
    name: "a\u202eb",
    email: "not an address",
    email_verified: true,
  });
  expect(claims).toMatchObject({ displayName: "", email: null, emailVerified: false });
  for (const sub of [undefined, "", 1, "x".repeat(256), "a\0b", "\ud800"])
    expect(() => readClaims({ sub })).toThrow("cannot be stored");
});

test("a domain counts only as a whole, of a verified address", () => {
  const of = (email: string, verified: unknown = true) =>
    readClaims({ sub: "1", email, email_verified: verified });
  expect(isOfDomains(of("a@example.com"), ["example.org", "example.com"])).toBe(true);
  expect(isOfDomains(of("a@EXAMPLE.com"), ["example.com"])).toBe(true);
  expect(isOfDomains(readClaims({ sub: "1" }), [])).toBe(true);
  for (const claims of [
    of("a@example.com", "true"),
    of("a@example.com", false),
    of("a@sub.example.com"),
    of("a@example.com.evil.example"),
    of("example.com@evil.example"),
    readClaims({ sub: "1", email_verified: true }),
  ])
    expect(isOfDomains(claims, ["example.com"])).toBe(false);
});
