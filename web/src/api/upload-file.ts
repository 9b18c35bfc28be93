/** Uploads one file and tells how far it has come, which `fetch` cannot. */
import { apiErrorOf } from "@forgeline/client/errors.ts";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { csrfHeader } from "./client.ts";

/** Where its text stands: `OWNER/NAME`, or `ORG/TEAM`. */
export type UploadPlace = { repo: string } | { team: string };

/** As `uploadBytes`. */
export function uploadFile(
  place: UploadPlace,
  file: File,
  onProgress: (percent: number) => void,
): Promise<Schemas["Attachment"]> {
  return uploadBytes("/attachments", { file, query: { ...place }, onProgress });
}

/** An export of another host, to be imported. As `uploadBytes`. */
export function uploadImportArchive(
  file: File,
  onProgress: (percent: number) => void,
): Promise<Schemas["ImportArchive"]> {
  return uploadBytes("/imports/archives", { file, query: {}, onProgress });
}

interface Upload {
  file: File;
  query: Record<string, string>;
  onProgress: (percent: number) => void;
}

/** `onProgress` gets per cent. Rejects with a ForgelineApiError, and with a TypeError where the server is not reached. */
function uploadBytes<T>(path: string, { file, query: place, onProgress }: Upload): Promise<T> {
  const query = new URLSearchParams({ ...place, name: file.name === "" ? "file" : file.name });
  const request = new XMLHttpRequest();
  request.open("POST", `/api/v1${path}?${query.toString()}`);
  request.setRequestHeader("Content-Type", "application/octet-stream");
  for (const [name, value] of Object.entries(csrfHeader())) request.setRequestHeader(name, value);
  request.upload.onprogress = ({ loaded, total }) =>
    onProgress(total > 0 ? Math.floor((loaded / total) * 100) : 0);
  return new Promise((resolve, reject) => {
    request.onload = () => {
      const { status, responseText } = request;
      if (status === 201) resolve(JSON.parse(responseText) as T);
      else void apiErrorOf(new Response(responseText, { status })).then(reject);
    };
    request.onerror = () => reject(new TypeError("the server was not reached"));
    request.send(file);
  });
}
