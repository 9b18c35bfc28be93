import { expect, test } from "vitest";
import { fillLicense } from "@forgeline/server/domains/hosting/templates/fill-license.ts";
import { createGitignores } from "@forgeline/server/domains/hosting/templates/gitignores.ts";
import { createLicenses } from "@forgeline/server/domains/hosting/templates/licenses.ts";

const holder = { name: "Ada $& Lovelace", year: 2026 };
const licenses = createLicenses();

async function lineOf(id: string): Promise<string | undefined> {
  const license = await licenses.find(id);
  const text = await licenses.text(license!, holder);
  return text
    .split("\n")
    .find((line) => line.includes("2026"))
    ?.trim();
}

test.each([
  ["mit", "Copyright (c) 2026 Ada $& Lovelace"],
  ["BSD-3-Clause", "Copyright (c) 2026 Ada $& Lovelace."],
  ["Apache-2.0", "Copyright 2026 Ada $& Lovelace"],
  ["ISC", "Copyright (c) 2026 Ada $& Lovelace"],
  ["0BSD", "Copyright (c) 2026 Ada $& Lovelace"],
])("%s names year and holder", async (id, line) => {
  expect(await lineOf(id)).toBe(line);
});

test("what may not be changed is not", async () => {
  for (const id of ["GPL-3.0-only", "AGPL-3.0-or-later", "LGPL-2.1-only", "GFDL-1.3-only"])
    expect([id, await lineOf(id)]).toEqual([id, undefined]);
});

test("places that only look like a holder's stay", () => {
  const text = "Copyright (c) <year> <owner>\n\nthe <owner> of [xxxx] <b>\r\n";
  expect(fillLicense("X", text, holder)).toBe(
    "Copyright (c) 2026 Ada $& Lovelace\n\nthe <owner> of [xxxx] <b>\n",
  );
});

test("every licence and every template that is listed has a text", async () => {
  for (const license of await licenses.list())
    expect([license.id, (await licenses.text(license, holder)).length > 50]).toEqual([license.id, true]);
  const gitignores = createGitignores();
  const names = await gitignores.list();
  expect(names).toEqual(expect.arrayContaining(["Node", "Python", "C++", "Global/macOS"]));
  for (const name of names) expect([name, typeof (await gitignores.find(name))]).toEqual([name, "string"]);
});

test("names are looked up, never opened", async () => {
  const gitignores = createGitignores();
  for (const name of [
    "../package.json",
    "Node.gitignore",
    "",
    "__proto__",
    "global",
    "./Node",
    "/etc/passwd",
  ])
    expect([name, await gitignores.find(name), await licenses.find(name)]).toEqual([
      name,
      undefined,
      undefined,
    ]);
});
