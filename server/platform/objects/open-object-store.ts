/** Makes the object store that the configuration names: `file:///PATH` or `s3://BUCKET[/PREFIX]`. */
import { fileURLToPath } from "node:url";
import { createFileStore } from "./file-store.ts";
import type { Secret } from "../secret.ts";
import type { ObjectStore } from "./object-store.ts";
import { createS3Store } from "./s3-store.ts";

export interface ObjectStoreConfig {
  address: string;
  s3: {
    endpoint?: string | undefined;
    region: string;
    accessKeyId?: string | undefined;
    secretAccessKey?: Secret | undefined;
  };
}

export function openObjectStore({ address, s3 }: ObjectStoreConfig): ObjectStore {
  if (address.startsWith("file:")) return createFileStore(fileURLToPath(pathAddress(address)));
  const url = new URL(address);
  const prefix = decodeURIComponent(url.pathname).replace(/^\/|\/$/g, "");
  const { accessKeyId, secretAccessKey } = s3;
  return createS3Store({
    bucket: url.hostname,
    prefix: prefix === "" ? "" : `${prefix}/`,
    region: s3.region,
    endpoint: s3.endpoint,
    credentials:
      accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey: secretAccessKey.reveal() } : undefined,
  });
}

/** A path may hold `%` and `#` as they are: it is a path, written after `file://`, not an encoded address. */
function pathAddress(address: string): URL {
  return new URL(
    `file://${encodeURI(address.slice("file://".length)).replaceAll("#", "%23").replaceAll("?", "%3F")}`,
  );
}
