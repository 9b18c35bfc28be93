/** Answers what an import asks out of the records that were unpacked, instead of the API of another host. */
import type { Queryable } from "../../../../platform/db/database.ts";
import type { SourceClient } from "../source-client.ts";
import { createGithubReader } from "../github-reader.ts";
import { createGitlabReader } from "../gitlab-reader.ts";
import type { ReadPlace, ReadStep, SourceReader } from "../source-reader.ts";
import { statements } from "./archives.store.ts";
import { highestOf } from "./unpack.ts";

/** Records of one page: each may be large. */
const pageSize = 25;

/** Paths are those of `createArchiveReader`. */
export function createArchiveClient(db: Queryable, importId: string): SourceClient {
  return {
    async get(path) {
      const [list = "", query] = path.split("?");
      const asked = new URLSearchParams(query);
      const [number, page] = [Number(asked.get("number") ?? 0), Number(asked.get("page") ?? 1)];
      const first = (page - 1) * pageSize;
      const rows = await db.query(statements.listRecords, [importId, list, number, first, pageSize + 1]);
      const json = rows.slice(0, pageSize).map(({ record }) => record);
      return { kind: "page", json, hasNext: rows.length > pageSize, after: null };
    },
  };
}

/** What the records mean is as over the API. */
export function createArchiveReader(source: "github" | "gitlab", repository: string): SourceReader {
  const reader = source === "github" ? createGithubReader(repository) : createGitlabReader(repository);
  const { scope, sharesNumbers, numberOf, headRef } = reader;
  const numberThere = (step: ReadStep, { number, offset }: ReadPlace) => {
    if (scope[step] === "whole") return 0;
    return scope[step] === "merge_request" ? number - offset : number;
  };
  return {
    scope,
    sharesNumbers,
    numberOf,
    headRef,
    newest: { issues: highestOf("issues"), merge_requests: highestOf("merge_requests") },
    path: (step, at) => `${step}?number=${numberThere(step, at)}&page=${at.page}`,
    read(step, answer, at) {
      const isOne = source === "gitlab" && step === "reviews" && Array.isArray(answer);
      if (!isOne) return reader.read(step, answer, at);
      const [approvals] = answer as unknown[];
      return approvals === undefined ? [] : reader.read(step, approvals, at);
    },
  };
}
