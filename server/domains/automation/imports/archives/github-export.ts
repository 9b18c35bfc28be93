/**
 * A migration archive of GitHub (docs.github.com/rest/migrations): lists of records in JSON files, which name each other by their addresses
 * at GitHub. They become what the REST API answers.
 */
import { SourceProblem } from "../source-problem.ts";
import type { ArchiveEntry } from "./archive-entries.ts";
import { maxNames, type ExportedRecord, type ExportReader } from "./export-reader.ts";
import { lineOfHunk } from "./line-of-hunk.ts";
import { bodyOf, fieldsOf, listOf, textOf, type Fields } from "./loose-fields.ts";
import { readJsonFile } from "./read-json.ts";

type File =
  | "repositories"
  | "milestones"
  | "issues"
  | "pull_requests"
  | "issue_comments"
  | "reviews"
  | "review_comments";
/** By their names, which come from the archive: an object would answer to names of its own as well. */
const files: ReadonlyMap<string, File> = new Map([
  ["repositories", "repositories"],
  ["milestones", "milestones"],
  ["issues", "issues"],
  ["pull_requests", "pull_requests"],
  ["issue_comments", "issue_comments"],
  ["pull_request_reviews", "reviews"],
  ["pull_request_review_comments", "review_comments"],
]);

/** A list may go on in further files. Some archives have everything in one folder. */
function fileOf(path: string): File | undefined {
  return files.get(/^(?:[^/]+\/)?([a-z_]+)_\d{6}\.json$/.exec(path)?.[1] ?? "");
}

/** `repository`: `OWNER/NAME`, of those that the archive has. */
export function createGithubExport(repository: string): ExportReader {
  const wanted = repository.toLowerCase();
  const seen = new Set<string>();
  const titles = new Map<string, string>();
  const isOurs = (url: unknown) => repositoryAt(url)?.toLowerCase() === wanted;

  async function learn(entry: ArchiveEntry): Promise<void> {
    const isMilestones = fileOf(entry.path) === "milestones";
    for (const fields of listOf(await readJsonFile(entry)).map(fieldsOf)) {
      const url = textOf(fields["url"]);
      if (url === null) continue;
      if (isMilestones && isOurs(url)) titles.set(url, textOf(fields["title"]) ?? "");
      const name = isMilestones ? undefined : repositoryAt(url);
      if (name !== undefined && seen.size < maxShown) seen.add(name);
      if (name?.toLowerCase() === wanted) seen.add(repository);
      if (titles.size > maxNames) throw new SourceProblem("The archive has too many milestones.");
    }
  }

  function problem(): string | undefined {
    if (seen.has(repository)) return undefined;
    if (seen.size === 0) return "The archive is no migration archive of GitHub: it names no repository.";
    return `The archive has no repository ${repository}. It has ${[...seen].join(", ")}.`;
  }

  async function* read(entry: ArchiveEntry): AsyncGenerator<ExportedRecord> {
    const file = fileOf(entry.path);
    if (!file) return;
    for (const fields of listOf(await readJsonFile(entry)).map(fieldsOf))
      if (isOurs(fields["url"])) yield* convert[file](fields, titles);
  }

  return {
    learns: (path) => ["repositories", "milestones"].includes(fileOf(path) ?? ""),
    learn,
    problem,
    reads: (path) => fileOf(path) !== undefined,
    read,
  };
}

/** Names of repositories in a sentence. */
const maxShown = 20;

/** `OWNER/NAME` of whatever belongs to a repository; undefined for other addresses. */
function repositoryAt(url: unknown): string | undefined {
  return /^https?:\/\/[^/?#]+\/([\w.-]+\/[\w.-]+)(?:[/?#]|$)/.exec(textOf(url) ?? "")?.[1];
}

/** The number at the end of an address. */
function numberAt(url: unknown): number {
  const end = /(\d{1,15})$/.exec(textOf(url) ?? "")?.[1];
  return end === undefined ? 0 : Number(end);
}

const whole = (list: ExportedRecord["list"], record: object): ExportedRecord => ({ list, number: 0, record });

type Titles = ReadonlyMap<string, string>;

const convert: Record<File, (fields: Fields, titles: Titles) => ExportedRecord[]> = {
  repositories: (fields) => listOf(fields["labels"]).map((label) => whole("labels", labelOf(label))),
  milestones: (fields) => [
    whole("milestones", {
      ...pick(fields, ["title", "description", "due_on", "state", ...times]),
      number: numberAt(fields["url"]),
    }),
  ],
  issues: (fields, titles) => [whole("issues", itemOf(fields, titles))],
  pull_requests: (fields, titles) => [whole("merge_requests", pullOf(fields, titles))],
  issue_comments: (fields) => [
    whole("comments", { ...commentOf(fields), issue_url: fields["issue"] ?? fields["pull_request"] }),
  ],
  reviews(fields) {
    const state = reviewStates[String(fields["state"])] ?? fields["state"];
    const submitted = {
      submitted_at: fields["submitted_at"] ?? fields["created_at"],
      commit_id: fields["head_sha"],
    };
    const record = { ...commentOf(fields), ...submitted, state };
    return [{ list: "reviews", number: numberAt(fields["pull_request"]), record }];
  },
  review_comments: (fields) => [whole("line_comments", lineCommentOf(fields))],
};

const times = ["created_at", "updated_at", "closed_at"] as const;

/** As GitHub's archives number them. */
const reviewStates: Readonly<Record<string, string>> = {
  0: "PENDING",
  1: "COMMENTED",
  30: "CHANGES_REQUESTED",
  40: "APPROVED",
  50: "DISMISSED",
};

function pick(fields: Fields, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, fields[name]]));
}

function userOf(url: unknown): { login: string } | null {
  const login = (textOf(url) ?? "").split("/").at(-1)?.replace(/^@/, "") ?? "";
  return login === "" ? null : { login };
}

/** Addresses of labels end in their name. */
function labelOf(label: unknown): object {
  const url = textOf(label);
  if (url === null) return pick(fieldsOf(label), ["name", "color", "description"]);
  return { name: decoded(/\/labels\/([^/]+)$/.exec(url)?.[1] ?? url) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function itemOf(fields: Fields, titles: Titles): Record<string, unknown> {
  const number = numberAt(fields["url"]);
  const ended = fields["merged_at"] ?? fields["closed_at"] ?? null;
  const title = titles.get(textOf(fields["milestone"]) ?? "");
  return {
    id: number,
    number,
    title: textOf(fields["title"]),
    body: bodyOf(fields["body"]),
    user: userOf(fields["user"]),
    labels: listOf(fields["labels"]).slice(0, maxOfOne).map(labelOf),
    assignees: listOf(fields["assignees"] ?? [fields["assignee"]])
      .slice(0, maxOfOne)
      .flatMap((url) => userOf(url) ?? []),
    milestone: title === undefined ? null : { title },
    locked: fields["locked"] === true,
    created_at: fields["created_at"],
    updated_at: fields["updated_at"] ?? ended ?? fields["created_at"],
    closed_at: ended,
    state: ended === null ? "open" : "closed",
    state_reason: textOf(fields["state_reason"]),
  };
}

const maxOfOne = 100;

function pullOf(fields: Fields, titles: Titles): object {
  const end = (value: unknown) => {
    const { ref, sha, repo } = fieldsOf(value);
    const id = repositoryAt(repo);
    return { ref, sha, repo: id === undefined ? null : { id } };
  };
  return {
    ...itemOf(fields, titles),
    draft: fields["work_in_progress"] === true || fields["draft"] === true,
    merged_at: fields["merged_at"] ?? null,
    merge_commit_sha: textOf(fields["merge_commit_sha"]),
    head: end(fields["head"]),
    base: end(fields["base"]),
  };
}

function commentOf(fields: Fields): object {
  return {
    id: numberAt(fields["url"]),
    user: userOf(fields["user"]),
    body: bodyOf(fields["body"]),
    created_at: fields["created_at"],
    updated_at: fields["updated_at"] ?? fields["created_at"],
  };
}

/** The archive counts lines of the patch, so the line is the last one of the piece that the comment stands below. */
function lineCommentOf(fields: Fields): object {
  const hunk = textOf(fields["diff_hunk"]) ?? "";
  const place = lineOfHunk(hunk);
  const { position, in_reply_to: replyTo, pull_request_review: review } = fields;
  return {
    ...commentOf(fields),
    pull_request_url: fields["pull_request"],
    pull_request_review_id: textOf(review) === null ? null : numberAt(review),
    in_reply_to_id: textOf(replyTo) === null ? null : numberAt(replyTo),
    path: textOf(fields["path"]),
    line: position === null || position === undefined ? null : (place?.line ?? null),
    original_line: place?.line ?? null,
    side: place?.side === "old" ? "LEFT" : "RIGHT",
    original_commit_id: textOf(fields["original_commit_id"]) ?? textOf(fields["commit_id"]),
    diff_hunk: hunk.slice(-maxHunkChars),
    subject_type: place ? "line" : "file",
  };
}

const maxHunkChars = 10_000;
