/**
 * The development certificate authority and the server's certificate. The authority is made once; the certificate
 * again when a host name is missing from it or its end is near.
 */
import { createHash, webcrypto } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { isIP } from "node:net";
import { join } from "node:path";
// x509 finds its own parts through decorators, which need this first.
import "reflect-metadata";
import * as x509 from "@peculiar/x509";

export interface Certificates {
  caFile: string;
  certFile: string;
  keyFile: string;
  /** SHA-256 of the authority's PEM file, for checking a copy fetched over an untrusted line. */
  caSha256: string;
}

const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;
const dayMs = 24 * 3600 * 1000;
const caDays = 3650;
/** Browsers refuse longer ones. */
const certificateDays = 397;
const renewBeforeDays = 30;

export async function ensureCertificates(directory: string, hosts: readonly string[]): Promise<Certificates> {
  const file = (name: string) => join(directory, name);
  const authority = (await readAuthority(file)) ?? (await makeAuthority(file));
  if (!(await certificateFits(file("server.pem"), hosts))) await makeCertificate(file, authority, hosts);
  const caPem = await readFile(file("ca.pem"));
  return {
    caFile: file("ca.pem"),
    certFile: file("server.pem"),
    keyFile: file("server-key.pem"),
    caSha256: createHash("sha256").update(caPem).digest("hex"),
  };
}

interface Authority {
  certificate: x509.X509Certificate;
  privateKey: webcrypto.CryptoKey;
}

type FileOf = (name: string) => string;

async function readAuthority(file: FileOf): Promise<Authority | undefined> {
  const pem = await readFile(file("ca.pem"), "utf8").catch(() => undefined);
  const key = await readFile(file("ca-key.pem"), "utf8").catch(() => undefined);
  if (!pem || !key) return undefined;
  const der = x509.PemConverter.decodeFirst(key);
  const privateKey = await webcrypto.subtle.importKey("pkcs8", der, algorithm, false, ["sign"]);
  return { certificate: new x509.X509Certificate(pem), privateKey };
}

async function makeAuthority(file: FileOf): Promise<Authority> {
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: serialNumber(),
    name: `CN=Forgeline development authority ${new Date().toISOString().slice(0, 10)}`,
    notBefore: new Date(Date.now() - dayMs),
    notAfter: new Date(Date.now() + caDays * dayMs),
    signingAlgorithm: algorithm,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  await writeKey(file("ca-key.pem"), keys.privateKey);
  await writeFile(file("ca.pem"), `${certificate.toString("pem")}\n`, { mode: 0o644 });
  return { certificate, privateKey: keys.privateKey };
}

async function makeCertificate(file: FileOf, authority: Authority, hosts: readonly string[]): Promise<void> {
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: serialNumber(),
    subject: "CN=Forgeline",
    issuer: authority.certificate.subject,
    notBefore: new Date(Date.now() - dayMs),
    notAfter: new Date(Date.now() + certificateDays * dayMs),
    signingAlgorithm: algorithm,
    publicKey: keys.publicKey,
    signingKey: authority.privateKey,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension(
        hosts.map((host) => ({ type: isIP(host) ? "ip" : "dns", value: host })),
      ),
      await x509.AuthorityKeyIdentifierExtension.create(authority.certificate.publicKey),
    ],
  });
  await writeKey(file("server-key.pem"), keys.privateKey);
  await writeFile(file("server.pem"), `${certificate.toString("pem")}\n`, { mode: 0o644 });
}

async function certificateFits(path: string, hosts: readonly string[]): Promise<boolean> {
  const pem = await readFile(path, "utf8").catch(() => undefined);
  if (!pem) return false;
  const certificate = new x509.X509Certificate(pem);
  if (certificate.notAfter.getTime() < Date.now() + renewBeforeDays * dayMs) return false;
  const names =
    certificate.getExtension(x509.SubjectAlternativeNameExtension)?.names.items.map((n) => n.value) ?? [];
  const known = new Set(names.map(canonicalHost));
  return hosts.every((host) => known.has(canonicalHost(host)));
}

/** An IPv6 address has many spellings; certificates hold the long one. */
function canonicalHost(host: string): string {
  return isIP(host) === 6 ? new URL(`https://[${host}]`).hostname : host;
}

async function writeKey(path: string, key: webcrypto.CryptoKey): Promise<void> {
  const der = await webcrypto.subtle.exportKey("pkcs8", key);
  await writeFile(path, `${x509.PemConverter.encode(der, "PRIVATE KEY")}\n`, { mode: 0o600 });
}

function serialNumber(): string {
  // Positive and at most 20 bytes (RFC 5280 section 4.1.2.2).
  return `01${Buffer.from(webcrypto.getRandomValues(new Uint8Array(15))).toString("hex")}`;
}
