/** What a signed push must name, and where its text ends. */
import { expect, it } from "vitest";
import { certificateConfiguration } from "@forgeline/server/platform/git/transfer/certificate-nonce.ts";
import { splitCertificate } from "@forgeline/server/platform/git/transfer/push-certificate.ts";

const key = Buffer.alloc(32, 1);
const seed = (directory: string, of = key) =>
  Object.fromEntries(certificateConfiguration(of, directory))["receive.certNonceSeed"];

it("has one seed for a repository, wherever a server sees it, and another for each other repository and instance", () => {
  expect(seed("/srv/a/repositories/01/repo_01.git")).toBe(seed("/mnt/repositories/01/repo_01.git"));
  expect(seed("/srv/repo_01.git")).not.toBe(seed("/srv/repo_02.git"));
  expect(seed("/srv/repo_01.git")).not.toBe(seed("/srv/repo_01.git", Buffer.alloc(32, 2)));
});

const parts = (text: string) => {
  const split = splitCertificate(Buffer.from(text));
  return [split.text.toString(), split.signature.toString()];
};

it.each([
  ["one signature", "a\n\nb\n", "-----BEGIN SSH SIGNATURE-----\nx\n"],
  ["none", "a\n\nb\n", ""],
  ["no end of its last line", "a\n\nb\n", "-----BEGIN PGP SIGNATURE-----"],
  [
    "what looks like one within a line",
    "a\n -----BEGIN SSH SIGNATURE-----\n",
    "-----BEGIN SSH SIGNATURE-----\n",
  ],
  // Git takes the updates from all that stands before the last one, so all of it must have been signed.
  ["two", "a\n-----BEGIN SSH SIGNATURE-----\nx\nmore\n", "-----BEGIN SIGNED MESSAGE-----\ny\n"],
])("parts a text with %s", (_what, text, signature) => {
  expect(parts(text + signature)).toEqual([text, signature]);
});
