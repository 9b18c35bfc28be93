/**
 * Where a client uploads or downloads an object: at the object store itself if that can sign addresses, else at this server.
 */
import type { LfsAction } from "@forgeline/schemas/lfs/messages.ts";
import type { LfsLimits } from "../../../config/lfs.ts";
import type { DirectTransfer, ObjectStore, SignedAddress } from "../../../platform/objects/object-store.ts";
import type { LfsBatchInput } from "./batch.ts";
import type { LfsLinks, LinkMethod } from "./link.ts";
import { objectKey } from "./object-key.ts";
import type { WantedObject } from "./lfs.store.ts";
import { linkSeconds } from "./expiry.ts";

type Actions = Partial<Record<"download" | "upload" | "verify", LfsAction>>;

export interface LfsActions {
  forUpload(input: LfsBatchInput, object: WantedObject): Promise<Actions>;
  forDownload(input: LfsBatchInput, object: WantedObject): Promise<Actions>;
}

export function createLfsActions(deps: {
  webUrl: string;
  links: LfsLinks;
  objects: ObjectStore;
  limits: Pick<LfsLimits, "transfer">;
}): LfsActions {
  function ours({ repository, credential }: LfsBatchInput, method: LinkMethod, object: WantedObject) {
    const { oid, sizeBytes } = object;
    const query = deps.links.sign({ method, repositoryId: repository.id, oid, sizeBytes, credential });
    const tail = method === "VERIFY" ? "/verify" : "";
    const base = `${deps.webUrl}/${repository.owner}/${repository.name}.git/info/lfs/objects`;
    return { href: `${base}/${oid}${tail}?${query}`, expires_in: linkSeconds };
  }

  function directFor({ sizeBytes }: WantedObject): DirectTransfer | undefined {
    const direct = deps.limits.transfer === "direct" ? deps.objects.direct : undefined;
    return direct && sizeBytes <= direct.maxBytes ? direct : undefined;
  }

  return {
    async forUpload(input, object) {
      const key = objectKey(input.repository.id, object.oid);
      const content = { sizeBytes: object.sizeBytes, sha256: object.oid };
      const signed = await directFor(object)?.signPut(key, content, linkSeconds);
      return {
        upload: signed ? theirs(signed) : ours(input, "PUT", object),
        verify: ours(input, "VERIFY", object),
      };
    },
    async forDownload(input, object) {
      const signed = await directFor(object)?.signGet(
        objectKey(input.repository.id, object.oid),
        linkSeconds,
      );
      return { download: signed ? theirs(signed) : ours(input, "GET", object) };
    },
  };
}

function theirs({ href, headers }: SignedAddress): LfsAction {
  return { href, header: headers, expires_in: linkSeconds };
}
