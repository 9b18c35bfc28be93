/** Artifacts for people: lists of a run, their files, downloads, and removal before they expire. */
import { linkMode } from "@forgeline/schemas/artifacts/zip.ts";
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import type { z } from "zod";
import type { Actor } from "../../../platform/access/actor.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { Database } from "../../../platform/db/database.ts";
import type { Revalidate } from "../../../platform/http/revalidate.ts";
import { recordAudit } from "../../operation/domain.ts";
import type { RepositoryRef } from "../../policy/domain.ts";
import * as store from "./artifact.store.ts";
import { rangeOfFile, type ArtifactContent } from "./content.ts";
import type { ArtifactMetrics } from "./metrics.ts";
import { presentArtifact, presentFile, type ArtifactAddresses } from "./present.ts";

/** Bytes to send, from the first on. */
export interface ArtifactDownload {
  /** Of the file as people keep it. */
  fileName: string;
  contentType: "application/zip" | "application/octet-stream";
  sizeBytes: number;
  read(range: { start: number; end: number }): AsyncIterable<Buffer>;
}

/** An artifact of a run; `pipeline` is an id or a number. */
export interface ArtifactPlace {
  pipeline: string;
  artifact: string;
}

export type ArtifactService = ReturnType<typeof createArtifactService>;

export function createArtifactService(deps: {
  db: Database;
  content: ArtifactContent;
  addresses: ArtifactAddresses;
  metrics: ArtifactMetrics;
}) {
  const { db, content, addresses, metrics } = deps;

  async function runOf(repository: RepositoryRef, pipeline: string): Promise<string> {
    const id = await store.findRun(db, repository.id, pipeline);
    if (id === undefined) throw new AppError("not_found");
    return id;
  }

  async function find(repository: RepositoryRef, place: ArtifactPlace): Promise<store.ArtifactRow> {
    const row = await store.findVisible(db, await runOf(repository, place.pipeline), place.artifact);
    if (!row) throw new AppError("not_found");
    return row;
  }

  async function* counted(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const piece of pieces) {
      metrics.bytes.inc({ direction: "out" }, piece.length);
      yield piece;
    }
  }

  return {
    async list(repository: RepositoryRef, pipeline: string, page: z.infer<typeof PageQuery>) {
      const { rows, total } = await store.listOfRun(db, await runOf(repository, pipeline), page);
      return { items: rows.map((row) => presentArtifact(row, addresses)), total };
    },
    /** Throws `not_found`; so do the following. */
    async get(repository: RepositoryRef, place: ArtifactPlace) {
      return presentArtifact(await find(repository, place), addresses);
    },
    async files(
      repository: RepositoryRef,
      place: ArtifactPlace,
      { page, per_page: size }: z.infer<typeof PageQuery>,
    ) {
      const row = await find(repository, place);
      const entries = await content.readIndex(row);
      const shown = entries.slice((page - 1) * size, page * size);
      return { items: shown.map((entry) => presentFile(row, entry, addresses)), total: entries.length };
    },
    async openZip(
      repository: RepositoryRef,
      place: ArtifactPlace,
      revalidate: Revalidate,
    ): Promise<ArtifactDownload> {
      const row = await find(repository, place);
      revalidate(row.sha256);
      return {
        fileName: `${row.name}.zip`,
        contentType: "application/zip",
        sizeBytes: row.size_bytes,
        read: (range) => counted(content.read(row, range)),
      };
    },
    /** A symbolic link gives its text. */
    async openFile(
      repository: RepositoryRef,
      { path, ...place }: ArtifactPlace & { path: string },
      revalidate: Revalidate,
    ): Promise<ArtifactDownload> {
      const row = await find(repository, place);
      const entry = (await content.readIndex(row)).find((each) => each.path === path);
      if (!entry) throw new AppError("not_found");
      revalidate(`${row.sha256}:${path}`);
      const { start, end } = rangeOfFile(entry);
      const name = path.slice(path.lastIndexOf("/") + 1);
      return {
        fileName: entry.mode === linkMode ? `${name}.link` : name,
        contentType: "application/octet-stream",
        sizeBytes: end - start,
        read: (range) => counted(content.read(row, { start: start + range.start, end: start + range.end })),
      };
    },
    async remove(actor: Actor, repository: RepositoryRef, place: ArtifactPlace): Promise<void> {
      const row = await find(repository, place);
      await db.transaction(async (tx) => {
        if (!(await store.remove(tx, row.id))) throw new AppError("not_found");
        await recordAudit(tx, actor, {
          action: "artifact.delete",
          target: {
            type: "artifact",
            id: row.id,
            name: `${repository.owner}/${repository.name}#${row.pipeline_number} ${row.name}`,
          },
          details: { job: row.job, size: row.size_bytes, sha256: row.sha256 },
        });
      });
    },
  };
}
