/** Signatures of OpenSSH's own program, of security keys made in software, and what is no signature of this text. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { judgeSshSignature } from "@forgeline/server/platform/git/objects/ssh-signature.ts";
import { makePlainKey, makeSecurityKey, type AgentKey } from "../../../../../support/software-agent.ts";
import { needs } from "../../../../../support/programs/needs.ts";

const text = Buffer.from("certificate version 0.1\n\n\u0000 any bytes\n");
let directory: string;
beforeAll(() => void (directory = mkdtempSync(join(tmpdir(), "forgeline-sshsig-"))));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const named = (data: Buffer | string) => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(Buffer.byteLength(data));
  return Buffer.concat([length, Buffer.from(data)]);
};

const armour = (blob: Buffer) =>
  Buffer.from(
    `-----BEGIN SSH SIGNATURE-----\n${blob.toString("base64").replaceAll(/.{70}/g, "$&\n")}\n-----END SSH SIGNATURE-----\n`,
  );

/** What `ssh-keygen -Y sign` does with a key that an agent holds. */
function signed(key: AgentKey, change: { purpose?: string; hash?: string; signer?: AgentKey } = {}): Buffer {
  const { purpose = "git", hash = "sha512", signer = key } = change;
  const algorithm = hash === "md5" ? "md5" : hash;
  const digest = createHash(algorithm).update(text).digest();
  const tail = [purpose, "", hash].map(named);
  const signature = signer.sign(Buffer.concat([Buffer.from("SSHSIG"), ...tail, named(digest)]));
  const head = Buffer.from("SSHSIG\0\0\0\u0001", "latin1");
  return armour(Buffer.concat([head, named(key.blob), ...tail, named(signature)]));
}

const judge = (signature: Buffer, of = text) => judgeSshSignature(of, signature, "git");
const fingerprint = (blob: Buffer) =>
  `SHA256:${createHash("sha256").update(blob).digest("base64").replace(/=+$/, "")}`;

describe("made by ssh-keygen", () => {
  function sign(kind: string, bits: number | undefined, purpose: string) {
    needs("ssh-keygen");
    const file = join(directory, `${kind}-${bits}-${purpose}`);
    const size = bits ? ["-b", String(bits)] : [];
    execFileSync("ssh-keygen", ["-q", "-t", kind, ...size, "-N", "", "-f", file]);
    const signature = execFileSync("ssh-keygen", ["-Y", "sign", "-n", purpose, "-f", file], {
      input: text,
      stdio: ["pipe", "pipe", "ignore"],
    });
    const blob = Buffer.from(readFileSync(`${file}.pub`, "utf8").split(" ")[1] ?? "", "base64");
    return { signature, fingerprint: fingerprint(blob) };
  }

  it.each([
    ["ed25519", undefined],
    ["ecdsa", 256],
    ["ecdsa", 384],
    ["ecdsa", 521],
    ["rsa", 2048],
  ])("%s %s is good for its own text, and bad for another", (kind, bits) => {
    const made = sign(kind, bits, "git");
    expect(judge(made.signature)).toEqual({ verdict: "good", fingerprint: made.fingerprint });
    expect(judge(made.signature, Buffer.concat([text, Buffer.from("x")]))).toEqual({ verdict: "bad" });
  });

  it("is bad when it was made for something else", () => {
    expect(judge(sign("ed25519", undefined, "file").signature)).toEqual({ verdict: "bad" });
  });

  it("cannot be judged with a key of a kind that does not count here", () => {
    const made = sign("rsa", 1024, "git");
    expect(judge(made.signature)).toEqual({ verdict: "unknown_kind", fingerprint: made.fingerprint });
  });
});

it.each(["ed25519", "ecdsa"] as const)("takes a security key of the kind %s that was touched", (kind) => {
  const key = makeSecurityKey(kind);
  expect(judge(signed(key))).toEqual({ verdict: "good", fingerprint: fingerprint(key.blob) });
  expect(judge(signed(makeSecurityKey(kind, { flags: 0 })))).toEqual({ verdict: "bad" });
});

it("takes no signature of another key, for another purpose, with another hash, or in pieces", () => {
  const key = makePlainKey();
  const good = signed(key);
  expect(judge(good).verdict).toBe("good");
  const blob = Buffer.from(good.toString().split("\n").slice(1, -2).join(""), "base64");
  const wrong = [
    signed(key, { signer: makePlainKey() }),
    signed(key, { purpose: "file" }),
    signed(key, { hash: "md5" }),
    signed({ ...key, sign: () => Buffer.alloc(0) }),
    signed({ ...key, sign: (data) => Buffer.concat([key.sign(data), Buffer.from([1])]) }),
    armour(Buffer.concat([blob, Buffer.from([0])])),
    ...Array.from({ length: blob.length - 1 }, (_, end) => armour(blob.subarray(0, end + 1))),
    good.subarray(0, -10),
    Buffer.alloc(0),
  ];
  for (const each of wrong) expect(judge(each)).toEqual({ verdict: "bad" });
});
