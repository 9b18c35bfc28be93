/** Signatures in commits: as Git makes them, as the instance makes them, and what somebody makes to deceive. */
import { createHash } from "node:crypto";
import { generateKey, readKey, SignaturePacket } from "openpgp";
import { describe, expect, it, vi } from "vitest";
import { parseCommit } from "@forgeline/server/platform/git/objects/commit.ts";
import {
  splitCommit,
  withSignature,
  type CommitSignature,
} from "@forgeline/server/platform/git/signatures/commit-signature.ts";
import { committerEmailOf, judgeCommit } from "@forgeline/server/platform/git/signatures/judge-commit.ts";
import {
  createOpenPgpJudge,
  keyIdOfSignature,
  readOpenPgpKey,
} from "@forgeline/server/platform/git/signatures/openpgp.ts";
import { sshSigningKey } from "@forgeline/server/platform/git/signatures/ssh-signing-key.ts";
import {
  openPgpCommit,
  openPgpKey,
  openPgpKeyRevoked,
  parentCommit,
} from "../../../../../support/openpgp-key.ts";

/** Made by `git commit -S` with `gpg.format=ssh`. */
const byGit = parentCommit;
const fingerprint = "SHA256:OQKT4TswJ0g9TM18e5rYng7i56NHyLokushFX9MK/xA";

const plain = Buffer.from(`tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904
author Ada <ada@example.org> 1767225600 +0000
committer Bob <bob@example.org> 1767225600 +0000

words

gpgsig is a word here
`);
const key = sshSigningKey(createHash("sha256").update("seed").digest());
const edited = (bytes: Buffer, from: string, to: string) => Buffer.from(bytes.toString().replace(from, to));

it("knows the key of a commit that Git signed, and that nothing else was signed", () => {
  expect(judgeCommit(byGit)).toEqual({ state: "ssh", fingerprint });
  for (const [from, to] of [
    ["by ssh", "by ssh!"],
    ["committer Ada <ada@", "committer Ada <bob@"],
    ["tree 4b", "tree 5b"],
  ] as const)
    expect(judgeCommit(edited(byGit, from, to))).toEqual({ state: "invalid" });
});

it("signs as Git does, with the same key for the same seed", () => {
  const signed = withSignature(plain, key.sign(plain));
  expect(judgeCommit(signed)).toEqual({ state: "ssh", fingerprint: key.fingerprint });
  expect(splitCommit(signed)).toMatchObject({ payload: plain });
  expect(signed.toString().split("\n\n")[1]).toBe("words");
  expect(judgeCommit(plain)).toEqual({ state: "unsigned" });
});

it("leaves what gpg has signed to those who know the key", async () => {
  const judged = judgeCommit(openPgpCommit);
  if (judged.state !== "openpgp") throw new Error(judged.state);
  const { armored, payload } = judged.signature;
  const { keyIds, publicKey } = await readOpenPgpKey(openPgpKey);
  expect(keyIds).toContain(await keyIdOfSignature(armored));
  const judge = createOpenPgpJudge(publicKey);
  expect(await judge({ armored, payload })).toBe("valid");
  expect(await judge({ armored, payload: Buffer.from("x") })).toBe("invalid");
  expect(await judge({ armored: Buffer.from("-----BEGIN PGP SIGNATURE-----"), payload })).toBe("invalid");
  expect(await createOpenPgpJudge(openPgpKeyRevoked)({ armored, payload })).toBe("revoked_key");
});

it("refuses keys that are slow to use, also such as were added before", async () => {
  const { armored, payload } = splitCommit(openPgpCommit) as CommitSignature;
  const slow = await readKey({ armoredKey: openPgpKey });
  const [user] = slow.users;
  user!.selfCertifications = Array.from({ length: 60 }, () => user!.selfCertifications[0]!);
  await expect(readOpenPgpKey(slow.armor())).rejects.toThrow("more than 50 signatures of its own");
  expect(await createOpenPgpJudge(slow.armor())({ armored, payload })).toBe("invalid");
  const { publicKey } = await generateKey({ type: "curve448", userIDs: [{ email: "a@example.org" }] });
  await expect(readOpenPgpKey(publicKey)).rejects.toThrow("of the kind ed448");
});

it("tries what a key falsely says of itself once, and not for each commit", async () => {
  const signature = splitCommit(openPgpCommit) as CommitSignature;
  const damaged = async () => (await readKey({ armoredKey: openPgpKey })).users[0]!.selfCertifications[0]!;
  const key = await readKey({ armoredKey: openPgpKey });
  const [user] = key.users;
  for (let count = 0; count < 30; count += 1) {
    const one = Object.assign(await damaged(), { signedHashValue: new Uint8Array(2) });
    user!.selfCertifications.push(one);
  }
  const { publicKey } = await readOpenPgpKey(key.armor());
  expect((await readKey({ armoredKey: publicKey })).users[0]!.selfCertifications).toHaveLength(1);
  expect(await createOpenPgpJudge(publicKey)(signature)).toBe("valid");
  // Added before: each judge, of many commits, tries it once.
  const judge = createOpenPgpJudge(key.armor());
  expect(await judge(signature)).toBe("valid");
  const verify = vi.spyOn(SignaturePacket.prototype, "verify");
  expect(await judge(signature)).toBe("valid");
  expect(verify.mock.calls.length).toBeLessThan(10);
  verify.mockRestore();
});

it("lets a subkey sign only where it stands for it itself", async () => {
  const signature = splitCommit(openPgpCommit) as CommitSignature;
  const key = await readKey({ armoredKey: openPgpKey });
  const [binding] = key.subkeys[0]!.bindingSignatures;
  const answer = binding!.unhashedSubpackets.find(({ body }) => body.length > 50)!;
  answer.body[answer.body.length - 1]! ^= 1;
  const { publicKey } = await readOpenPgpKey(key.armor());
  expect(await createOpenPgpJudge(publicKey)(signature)).toBe("invalid");
  expect(await createOpenPgpJudge(key.armor())(signature)).toBe("invalid");
});

describe("hostile commits", () => {
  const signed = withSignature(plain, key.sign(plain));

  it("with several signatures are not those of any of them", () => {
    expect(judgeCommit(withSignature(signed, key.sign(signed)))).toEqual({ state: "invalid" });
    const many = edited(plain, "\n\nwords", `${"\ngpgsig x".repeat(50_000)}\n\nwords`);
    expect(judgeCommit(many)).toEqual({ state: "invalid" });
  });

  it("with huge signatures, or none in the header, are refused", () => {
    const huge = `gpgsig -----BEGIN SSH SIGNATURE-----\n ${"A".repeat(1024 * 1024)}`;
    expect(judgeCommit(edited(plain, "\n\nwords", `\n${huge}\n\nwords`))).toEqual({ state: "invalid" });
    expect(judgeCommit(edited(plain, "\n\nwords", "\ngpgsig \n\nwords"))).toEqual({ state: "unsupported" });
    expect(
      judgeCommit(edited(plain, "\n\nwords", "\ngpgsig -----BEGIN SSH SIGNATURE-----\n\nwords")),
    ).toEqual({
      state: "invalid",
    });
    const smime = "gpgsig -----BEGIN SIGNED MESSAGE-----\n MII=\n -----END SIGNED MESSAGE-----";
    expect(judgeCommit(edited(plain, "\n\nwords", `\n${smime}\n\nwords`))).toEqual({ state: "unsupported" });
    for (const bytes of [Buffer.alloc(0), Buffer.from("\n\n"), Buffer.from("gpgsig")])
      expect(judgeCommit(bytes)).toEqual({ state: "unsigned" });
  });

  it("with half a million lines, or addresses without an end, are read at once", () => {
    const lines = edited(plain, "\n\nwords", `\n${"a\n".repeat(500_000)}\nwords`);
    const begun = performance.now();
    for (let round = 0; round < 3; round++) {
      expect(judgeCommit(lines)).toEqual({ state: "unsigned" });
      expect(judgeCommit(withSignature(lines, key.sign(lines)))).toEqual({ state: "invalid" });
      expect(committerEmailOf(lines)).toBe("bob@example.org");
    }
    // Millions of attempts where each `<` is tried to the end.
    const endless = edited(plain, "Bob <bob@example.org>", "<".repeat(200_000));
    expect(parseCommit("", endless).committer).toMatchObject({ name: "", email: "" });
    expect(performance.now() - begun).toBeLessThan(2_000);
  });

  it("are signed as a whole: a header that is added, and a signature of the other form, change nothing unseen", () => {
    expect(judgeCommit(edited(signed, "\n\nwords", "\nencoding utf-16le\n\nwords"))).toEqual({
      state: "invalid",
    });
    // Git leaves it out of what this one signs.
    const both = edited(signed, "\n\nwords", "\ngpgsig-sha256 other\n lines\n\nwords");
    expect(judgeCommit(both)).toEqual({ state: "ssh", fingerprint: key.fingerprint });
  });

  it("have the committer of the object", () => {
    expect(committerEmailOf(plain)).toBe("bob@example.org");
    expect(committerEmailOf(edited(plain, "Bob <bob", "<eve@example.org> <bob"))).toBe("eve@example.org");
    expect(committerEmailOf(Buffer.from("tree x\n\ncommitter A <a@b> 1 +0000\n"))).toBe("");
  });
});
