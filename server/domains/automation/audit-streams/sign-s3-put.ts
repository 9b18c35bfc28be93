/** Signs a request that puts an object into a bucket (AWS Signature Version 4), and makes none. */
import { createHash, createHmac, type Hash, type Hmac } from "node:crypto";
import { SignatureV4 } from "@smithy/signature-v4";

export interface S3Access {
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

/** Its headers. `url`: of the object, each part of its path encoded. */
export async function signS3Put(
  { region, ...credentials }: S3Access,
  { url, body, contentType }: { url: URL; body: string; contentType: string },
): Promise<Record<string, string>> {
  const signer = new SignatureV4({
    service: "s3",
    region,
    credentials,
    sha256: Sha256,
    // The path is signed as it is sent.
    uriEscapePath: false,
  });
  const signed = await signer.sign({
    method: "PUT",
    protocol: url.protocol,
    hostname: url.hostname,
    path: url.pathname,
    headers: {
      host: url.host,
      "content-type": contentType,
      "x-amz-checksum-sha256": createHash("sha256").update(body).digest("base64"),
    },
    body,
  });
  return signed.headers;
}

/** As the signer wants it. */
class Sha256 {
  readonly #hash: Hash | Hmac;

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash = secret === undefined ? createHash("sha256") : createHmac("sha256", bytesOf(secret));
  }
  update(data: string | ArrayBuffer | ArrayBufferView): void {
    this.#hash.update(bytesOf(data));
  }
  digest(): Promise<Uint8Array> {
    return Promise.resolve(this.#hash.digest());
  }
}

function bytesOf(data: string | ArrayBuffer | ArrayBufferView): Buffer {
  if (typeof data === "string") return Buffer.from(data);
  return ArrayBuffer.isView(data)
    ? Buffer.from(data.buffer, data.byteOffset, data.byteLength)
    : Buffer.from(data);
}
