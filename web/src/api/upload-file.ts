/** Uploads one file and tells how far it has come, which `fetch` cannot. */
import { apiErrorOf } from "@forgeline/client/errors.ts";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { csrfHeader } from "./client.ts";

/** Where its text stands: `OWNER/NAME`, or `ORG/TEAM`. */
export type UploadPlace = { repo: string } | { team: string };

/** `onProgress` gets per cent. Rejects with a ForgelineApiError, and with a TypeError where the server is not reached. */
export function uploadFile(
  place: UploadPlace,
  file: File,
  onProgress: (percent: number) => void,
): Promise<Schemas["Attachment"]> {
  const query = new URLSearchParams({ ...place, name: file.name === "" ? "file" : file.name });
  const request = new XMLHttpRequest();
  request.open("POST", `/api/v1/attachments?${query.toString()}`);
  request.setRequestHeader("Content-Type", "application/octet-stream");
  for (const [name, value] of Object.entries(csrfHeader())) request.setRequestHeader(name, value);
  request.upload.onprogress = ({ loaded, total }) =>
    onProgress(total > 0 ? Math.floor((loaded / total) * 100) : 0);
  return new Promise((resolve, reject) => {
    request.onload = () => {
      const { status, responseText } = request;
      if (status === 201) resolve(JSON.parse(responseText) as Schemas["Attachment"]);
      else void apiErrorOf(new Response(responseText, { status })).then(reject);
    };
    request.onerror = () => reject(new TypeError("the server was not reached"));
    request.send(file);
  });
}
