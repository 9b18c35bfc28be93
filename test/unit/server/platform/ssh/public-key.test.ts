import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { parseSshPublicKey, SshKeyProblem } from "@forgeline/server/platform/ssh/public-key.ts";
import { needs } from "../../../../support/programs/needs.ts";
import { seededRandom } from "../../../../support/seeded-random.ts";

const directory = mkdtempSync(join(tmpdir(), "forgeline-keys-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** What OpenSSH itself makes. */
function makeKey(kind: string, bits: string): { line: string; fingerprint: string } {
  needs("ssh-keygen");
  const file = join(directory, randomUUID());
  execFileSync("ssh-keygen", [
    "-q",
    "-t",
    kind,
    ...(bits === "" ? [] : ["-b", bits]),
    "-N",
    "",
    "-C",
    "me here",
    "-f",
    file,
  ]);
  const shown = execFileSync("ssh-keygen", ["-l", "-f", `${file}.pub`], { encoding: "utf8" });
  return { line: readFileSync(`${file}.pub`, "utf8"), fingerprint: shown.split(" ")[1] ?? "" };
}

const field = (bytes: Buffer | string) => {
  const body = Buffer.from(bytes);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(body.length);
  return Buffer.concat([length, body]);
};
const lineOf = (kind: string, ...fields: (Buffer | string)[]) =>
  `${kind} ${Buffer.concat([kind, ...fields].map(field)).toString("base64")}`;

const ed25519 = makeKey("ed25519", "");
const ec = makeKey("ecdsa", "256");
const point = () => Buffer.from(ec.line.split(" ")[1] ?? "", "base64").subarray(-65);

test.each([
  ["ed25519", ""],
  ["ecdsa", "256"],
  ["ecdsa", "384"],
  ["ecdsa", "521"],
  ["rsa", "2048"],
])("takes what ssh-keygen makes, with its fingerprint: %s %s", (kind, bits) => {
  const { line, fingerprint } = kind === "ed25519" ? ed25519 : makeKey(kind, `${bits}`);
  const [type, base64] = line.split(" ");
  expect(parseSshPublicKey(line)).toEqual({
    kind: type,
    text: `${type} ${base64}`,
    fingerprint,
    comment: "me here",
  });
});

test("takes keys of security keys", () => {
  const raw = Buffer.alloc(32, 7);
  expect(parseSshPublicKey(lineOf("sk-ssh-ed25519@openssh.com", raw, "ssh:")).comment).toBe("");
  const sk = lineOf("sk-ecdsa-sha2-nistp256@openssh.com", "nistp256", point(), "ssh:work");
  expect(parseSshPublicKey(sk).kind).toBe("sk-ecdsa-sha2-nistp256@openssh.com");
});

const off = point();
off[64] = (off[64] ?? 0) ^ 1;
const bignum = (bits: number) => Buffer.from(`00${((1n << BigInt(bits)) - 1n).toString(16)}`, "hex");

test.each([
  ["nothing", ""],
  ["a private key", "-----BEGIN OPENSSH PRIVATE KEY-----\nabc\n-----END OPENSSH PRIVATE KEY-----"],
  ["two keys", `${ed25519.line}${ed25519.line}`],
  ["DSA", lineOf("ssh-dss", "x")],
  ["a certificate", lineOf("ssh-ed25519-cert-v01@openssh.com", "x")],
  ["options before the key", `command="sh" ${ed25519.line}`],
  ["a name of Object's", lineOf("constructor", "x")],
  ["another kind inside", `ssh-rsa ${ed25519.line.split(" ")[1]}`],
  ["a cut key", ed25519.line.slice(0, 60)],
  ["URL-safe base64", lineOf("ssh-ed25519", Buffer.alloc(32, 0xfb)).replaceAll("+", "-")],
  ["bytes after the key", lineOf("ssh-ed25519", Buffer.alloc(32, 1), "x")],
  ["a short Ed25519 key", lineOf("ssh-ed25519", Buffer.alloc(31, 1))],
  ["a point that is not on its curve", lineOf("ecdsa-sha2-nistp256", "nistp256", off)],
  ["a point of another curve", lineOf("ecdsa-sha2-nistp384", "nistp384", point())],
  ["another curve's name", lineOf("ecdsa-sha2-nistp256", "nistp384", point())],
  ["a compressed point", lineOf("ecdsa-sha2-nistp256", "nistp256", Buffer.alloc(33, 2))],
  ["RSA of 2047 bits", lineOf("ssh-rsa", Buffer.from([1, 0, 1]), bignum(2047).subarray(1))],
  ["RSA of 20,000 bits", lineOf("ssh-rsa", Buffer.from([1, 0, 1]), bignum(20_000))],
  ["RSA with exponent 1", lineOf("ssh-rsa", Buffer.from([1]), bignum(2048))],
  ["a negative number", lineOf("ssh-rsa", Buffer.from([1, 0, 1]), bignum(2048).subarray(1))],
  ["a number with a needless zero", lineOf("ssh-rsa", Buffer.from([0, 1, 0, 1]), bignum(2048))],
  ["a security key for the web", lineOf("sk-ssh-ed25519@openssh.com", Buffer.alloc(32, 1), "https://x")],
])("refuses %s", (_name, line) => {
  expect(() => parseSshPublicKey(line)).toThrow(SshKeyProblem);
});

/** Any other error than the one for whoever sent the key is thrown on. */
function fingerprintOrProblem(line: string): string {
  try {
    return parseSshPublicKey(line).fingerprint;
  } catch (error) {
    if (error instanceof SshKeyProblem) return "refused";
    throw error;
  }
}

test("whatever happens to a key, it is refused or keeps a fingerprint of its own", () => {
  const random = seededRandom(7);
  const prints = new Set([ed25519.fingerprint]);
  for (let i = 0; i < 2000; i++) {
    const blob = Buffer.from(ed25519.line.split(" ")[1] ?? "", "base64");
    const at = Math.floor(random() * blob.length);
    blob[at] = (blob[at] ?? 0) ^ (1 << Math.floor(random() * 8));
    prints.add(fingerprintOrProblem(`ssh-ed25519 ${blob.toString("base64")}`));
  }
  expect(prints.size).toBeGreaterThan(100);
});
