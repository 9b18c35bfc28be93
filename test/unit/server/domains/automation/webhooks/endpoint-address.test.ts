/** Addresses of webhooks: which are taken, what is shown of them, and what is dialled. */
import { expect, test } from "vitest";
import { readAddress, targetOf } from "@forgeline/server/domains/automation/webhooks/endpoint-address.ts";
import { isPublicAddress } from "@forgeline/server/platform/outbound/public-address.ts";

test.each([
  ["https://ci.example.com/hook", "https://ci.example.com/hook"],
  ["https://ci.example.com", "https://ci.example.com/"],
  ["https://ada:s3cret@ci.example.com/hook", "https://***@ci.example.com/hook"],
  ["https://s3cret@ci.example.com/", "https://***@ci.example.com/"],
  ["https://ci.example.com/hook?token=s3cret&team=s3cret", "https://ci.example.com/hook?token=***&team=***"],
  ["https://ci.example.com/hook?a=s3cret&a=s3cret", "https://ci.example.com/hook?a=***"],
  ["https://ci.example.com/?s3cret", "https://ci.example.com/?***"],
])("%s is shown as %s", (given, expected) => {
  const { full, shown } = readAddress(given, isPublicAddress);
  expect(shown).toBe(expected);
  expect(new URL(full).href).toBe(new URL(given).href);
});

test.each([
  "http://ci.example.com/",
  "ftp://ci.example.com/",
  "javascript:alert(1)",
  "file:///etc/passwd",
  "ci.example.com",
  "",
  "https://",
  "https:// /",
  "https://ci.example.com/#secret",
  "https://***@ci.example.com/other",
  "https://ci.example.com/other?token=***",
  "https://127.0.0.1/",
  "https://127.1/",
  "https://0x7f.1/",
  "https://2130706433/",
  "https://①②⑦.0.0.1/",
  "https://[::1]/",
  "https://[::ffff:127.0.0.1]/",
  "https://[64:ff9b::7f00:1]/",
  "https://10.0.0.1/",
  "https://169.254.169.254/latest/meta-data",
])("%s is refused", (given) => {
  expect(() => readAddress(given, isPublicAddress)).toThrowError(
    expect.objectContaining({ code: "validation_failed" }),
  );
});

test("user name and password become a header", () => {
  const { url, authorization } = targetOf("https://ada:p%40ss@ci.example.com/hook?x=1");
  expect(url).toBe("https://ci.example.com/hook?x=1");
  expect(Buffer.from(authorization?.slice("Basic ".length) ?? "", "base64").toString()).toBe("ada:p@ss");
  expect(targetOf("https://ci.example.com/").authorization).toBeUndefined();
});
