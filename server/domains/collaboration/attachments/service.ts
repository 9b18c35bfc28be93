/** Files that belong to texts in a repository or on the board of a team: uploaded by who writes there, read by who reads there. */
import type { Attachment } from "@forgeline/schemas/attachments/resource.ts";
import type { AttachmentCreateQuery } from "@forgeline/schemas/attachments/routes.ts";
import type { AttachmentLimits } from "../../../config/attachments.ts";
import { levelCovers } from "@forgeline/schemas/core/repository-levels.ts";
import { userIdOf, type Actor } from "../../../platform/access/actor.ts";
import { hasScope } from "../../../platform/access/requirement.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { AppError, invalidField } from "../../../platform/app-error.ts";
import type { Database } from "../../../platform/db/database.ts";
import type { Revalidate } from "../../../platform/http/revalidate.ts";
import { newId } from "../../../platform/ids.ts";
import { lostIsAbsent } from "../../../platform/objects/lost-object.ts";
import type { Authorizer } from "../../policy/domain.ts";
import type { DiscussionService } from "../discussions/service.ts";
import * as store from "./attachments.store.ts";
import { placesOf, removeAbsent } from "./absent-bytes.ts";
import { recordRemoval, requireRemover } from "./removal.ts";
import { requireRoom } from "./room.ts";
import { tooLarge, type AttachmentBytes } from "./bytes.ts";
import { isPicture } from "./content-type.ts";
import { plainFileName } from "./file-name.ts";
import { presentAttachment } from "./present.ts";
import type { Measure } from "./moves.ts";
import type { Scan } from "./scan.ts";

export interface UploadedFile {
  bytes: AsyncIterable<Buffer>;
  /** As its uploader says it; undefined: not said. */
  sizeBytes: number | undefined;
}

/** Bytes to send. */
export interface AttachmentDownload {
  fileName: string;
  contentType: string;
  /** A page may show it; else it is only ever saved. */
  isInline: boolean;
  sizeBytes: number;
  read(range: { start: number; end: number }): AsyncIterable<Buffer>;
}

export interface AttachmentService {
  /**
   * Throws `not_found` and `forbidden` for a place where the actor may not write, `quota_exceeded`, `payload_too_large`,
   * `validation_failed` for what the scanner refuses, and `unavailable` where it does not work.
   */
  create(actor: Actor, wanted: AttachmentCreateQuery, file: UploadedFile): Promise<Attachment>;
  /** Throws `not_found` for those who may not read it, `forbidden`, and `repository_archived`. */
  remove(actor: Actor, address: { id: string; name: string }): Promise<void>;
  /** Throws `not_found`, whatever the reason. */
  open(
    actor: Actor,
    address: { id: string; name: string },
    revalidate: Revalidate,
  ): Promise<AttachmentDownload>;
}

export interface AttachmentServiceDeps {
  db: Database;
  addresses: Addresses;
  bytes: AttachmentBytes;
  limits: AttachmentLimits;
  authorizer: Pick<Authorizer, "authorizeRepository" | "authorizeTeam">;
  discussions: Pick<DiscussionService, "requireWriter">;
  scan: Scan;
  /** What the repository takes has changed. */
  measure: Measure;
}

export function createAttachmentService(deps: AttachmentServiceDeps): AttachmentService {
  const { db, addresses, bytes, limits, scan } = deps;

  async function keep(
    { repositoryId, ...place }: { id: string; placeId: string; repositoryId: string | null },
    file: UploadedFile,
  ) {
    const kept = await bytes.keep(place, file.bytes, limits.maxBytes);
    await scan(() => bytes.open(place));
    const row = await db.one(store.statements.noteStored, [place.id, kept.sizeBytes, kept.contentType]);
    // Its repository or team was deleted meanwhile.
    if (!row) throw new AppError("not_found");
    if (repositoryId !== null) await deps.measure(db, repositoryId);
    return row;
  }

  return {
    async create(actor, wanted, file) {
      const { sizeBytes = limits.maxBytes } = file;
      if (sizeBytes > limits.maxBytes) throw tooLarge(limits.maxBytes);
      const where = await placeOf(deps, actor, wanted);
      const placeId = where.repositoryId ?? where.teamId ?? "";
      const attachment = { id: newId("atm"), uploaderId: userIdOf(actor), name: plainFileName(wanted.name) };
      await db.transaction(async (tx) => {
        const room = { ...where, placeId, uploaderId: attachment.uploaderId, sizeBytes };
        await requireRoom(tx, room, limits);
        const { repositoryId, teamId } = where;
        await store.insertAttachment(tx, { ...attachment, repositoryId, teamId, sizeBytes });
      });
      try {
        const kept = { id: attachment.id, placeId, repositoryId: where.repositoryId };
        return presentAttachment(await keep(kept, file), addresses);
      } catch (error) {
        await bytes.remove({ id: attachment.id, placeId });
        await db.query(store.statements.deleteAttachments, [[attachment.id]]);
        throw error;
      }
    },
    async remove(actor, address) {
      if (!(await store.findReadable(db, address, readerOf(actor)))) throw new AppError("not_found");
      const place = await db.one(store.statements.findPlace, [address.id]);
      if (!place) throw new AppError("not_found");
      const organizationId = await requireRemover(deps, actor, place);
      const removed = await db.transaction(async (tx) => {
        const where = [place.repository_id, place.team_id];
        const rows = await tx.query(store.statements.deleteAttachment, [address.id, ...where]);
        if (rows.length === 0) throw new AppError("not_found");
        if (place.repository_id !== null) await deps.measure(tx, place.repository_id);
        await recordRemoval(tx, actor, { ...address, place, organizationId });
        return rows;
      });
      await removeAbsent(deps, placesOf(removed));
    },
    async open(actor, address, revalidate) {
      const row = await store.findReadable(db, address, readerOf(actor));
      if (!row?.place_id) throw new AppError("not_found");
      const place = { id: row.bytes_id, placeId: row.place_id };
      revalidate(row.id);
      // Before anything is sent, so that one that the store has lost is 404.
      (await bytes.open(place, { start: 0, end: 1 }).catch(lostIsAbsent)).destroy();
      return {
        fileName: row.name,
        contentType: row.content_type,
        isInline: isPicture(row.content_type),
        sizeBytes: row.size_bytes,
        async *read(range) {
          yield* (await bytes.open(place, range)) as AsyncIterable<Buffer>;
        },
      };
    },
  };
}

/** Where it will be used, by somebody who may write there. */
async function placeOf(
  { authorizer, discussions }: AttachmentServiceDeps,
  actor: Actor,
  { repo, team }: AttachmentCreateQuery,
): Promise<store.Place & { isGuest: boolean }> {
  if ((repo === undefined) === (team === undefined))
    throw invalidField(
      repo === undefined ? "repo" : "team",
      "invalid",
      "Give `repo` or `team`: one of them.",
    );
  const [owner = "", ...rest] = (repo ?? team ?? "").split("/");
  if (repo === undefined) {
    const requirement = { access: "team_visible", scope: "issue:write" } as const;
    const granted = await authorizer.authorizeTeam(actor, requirement, { org: owner, team: rest.join("/") });
    await discussions.requireWriter(actor, granted);
    return { repositoryId: null, teamId: granted.team.id, isGuest: false };
  }
  const requirement = { access: "repo_signed_in", scope: "issue:write", archived: "refused" } as const;
  const address = { owner, name: rest.join("/") };
  const { repository, level } = await authorizer.authorizeRepository(actor, requirement, address);
  return { repositoryId: repository.id, teamId: null, isGuest: !levelCovers(level, "triage") };
}

/** Jobs and keys see what everyone sees; tokens what their scopes and repositories allow. */
function readerOf(actor: Actor): store.Reader {
  const isPerson = actor.kind === "user" || actor.kind === "bot";
  const inRepositories = isPerson && (hasScope(actor, "issue:read") || hasScope(actor, "mr:read"));
  const inTeams = isPerson && hasScope(actor, "org:read") && actor.repositoryIds === null;
  const who = (counts: boolean) => ({
    userId: counts ? actor.userId : null,
    isAdmin: counts && actor.isAdmin,
  });
  return {
    inRepositories: { ...who(inRepositories), only: actor.repositoryIds },
    inTeams: who(inTeams),
  };
}
