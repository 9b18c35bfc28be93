import { X509Certificate } from "node:crypto";
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ensureCertificates } from "@forgeline/launcher/certificates.ts";

const hosts = ["localhost", "127.0.0.1", "::1", "host.docker.internal"];
let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "forgeline-tls-"));
});
afterAll(() => rm(directory, { recursive: true }));

test("signs a certificate for all names and keeps it", async () => {
  const first = await ensureCertificates(directory, hosts);
  const certificate = new X509Certificate(await readFile(first.certFile));
  const authority = new X509Certificate(await readFile(first.caFile));
  expect(certificate.verify(authority.publicKey)).toBe(true);
  expect(certificate.ca).toBe(false);
  for (const host of ["localhost", "host.docker.internal"]) expect(certificate.checkHost(host)).toBe(host);
  for (const address of ["127.0.0.1", "::1"]) expect(certificate.checkIP(address)).toBeDefined();
  for (const key of ["ca-key.pem", "server-key.pem"])
    expect((await stat(join(directory, key))).mode & 0o777).toBe(0o600);

  await ensureCertificates(directory, hosts);
  expect(new X509Certificate(await readFile(first.certFile)).serialNumber).toBe(certificate.serialNumber);
});

test("signs anew for a new name, with the same authority", async () => {
  const before = await ensureCertificates(directory, hosts);
  const after = await ensureCertificates(directory, [...hosts, "git.example.com"]);
  expect(after.caSha256).toBe(before.caSha256);
  expect(new X509Certificate(await readFile(after.certFile)).checkHost("git.example.com")).toBe(
    "git.example.com",
  );
});
