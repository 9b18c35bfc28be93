import { hash } from "@node-rs/argon2";
import { expect, test } from "vitest";
import { createPasswords } from "@forgeline/server/domains/accounts/passwords/passwords.ts";

const passwords = createPasswords();

test("matches the password it was made of, in any composition of its characters, and no other", async () => {
  const stored = await passwords.hash("caf\u00e9 au lait, sil vous");
  expect(stored).toContain("$argon2id$v=19$m=19456,t=2,p=1$");
  expect(await passwords.matches(stored, "cafe\u0301 au lait, sil vous")).toBe(true);
  expect(await passwords.matches(stored, "cafe au lait, sil vous")).toBe(false);
  expect(await passwords.matches(null, "anything")).toBe(false);
});

test("knows a hash that was made with less work", async () => {
  expect(passwords.isOutdated(await hash("x", { memoryCost: 4096, timeCost: 2 }))).toBe(true);
  expect(passwords.isOutdated(await passwords.hash("x"))).toBe(false);
});

test("a crowd is refused at once instead of waiting without end", async () => {
  const all = await Promise.allSettled(Array.from({ length: 110 }, () => passwords.matches(null, "x")));
  const refused = all.filter((one) => one.status === "rejected");
  expect(refused).toHaveLength(8);
  for (const one of refused) expect(one.reason).toMatchObject({ code: "unavailable" });
  expect(await passwords.matches(null, "x")).toBe(false);
});
