/**
 * A project export of GitLab (docs.gitlab.com/user/project/settings/import_export), version 13 and newer: one record in each line of
 * `tree/project/*.ndjson`, with everything that belongs to it inside. They become what the REST API answers.
 */
import type { ArchiveEntry } from "./archive-entries.ts";
import type { ExportedRecord, ExportReader } from "./export-reader.ts";
import { approvalsOf, discussionsOf, notesOf } from "./gitlab-notes.ts";
import { createGitlabPeople, type UserOf } from "./gitlab-people.ts";
import { bodyOf, fieldsOf, listOf, textOf, type Fields } from "./loose-fields.ts";
import { readJsonLines } from "./read-json.ts";

const fileAt = /^(?:[^/]+\/)?tree\/project\/([a-z_]+)\.ndjson$/;
const treeAt = /^(?:[^/]+\/)?tree\/project\.json$/;
const olderAt = /^(?:[^/]+\/)?project\.json$/;

const namesPeople = new Set(["project_members", "issues", "merge_requests"]);

const older = "The export is of GitLab 12 or older. Export the project from a newer version.";
const none = "The archive is no project export of GitLab: it has no tree/project.json.";

export function createGitlabExport(): ExportReader {
  let isThere = false;
  let isOlder = false;
  const people = createGitlabPeople();

  async function learn(entry: ArchiveEntry): Promise<void> {
    if (treeAt.test(entry.path)) isThere = true;
    else if (olderAt.test(entry.path)) isOlder = true;
    else for await (const line of readJsonLines(entry)) people.learn(fieldsOf(line));
  }

  async function* read(entry: ArchiveEntry): AsyncGenerator<ExportedRecord> {
    const file = fileAt.exec(entry.path)?.[1] ?? "";
    for await (const line of readJsonLines(entry))
      yield* convert[file]?.(fieldsOf(line), people.userOf) ?? [];
  }

  return {
    learns: (path) =>
      treeAt.test(path) || olderAt.test(path) || namesPeople.has(fileAt.exec(path)?.[1] ?? ""),
    learn,
    problem: () => (isThere ? undefined : isOlder ? older : none),
    reads: (path) => Object.hasOwn(convert, fileAt.exec(path)?.[1] ?? ""),
    read,
  };
}

type Convert = (fields: Fields, userOf: UserOf) => ExportedRecord[];

const convert: Readonly<Record<string, Convert>> = {
  labels: ({ id, title, color, description }) => [
    { list: "labels", number: 0, record: { id, name: title, color, description: bodyOf(description) } },
  ],
  milestones: (fields) => [{ list: "milestones", number: 0, record: milestoneOf(fields) }],
  issues(fields, userOf) {
    const number = numberOf(fields);
    const { confidential, state } = fields;
    // What is left out is not kept either.
    const kept = confidential === true ? { ...fields, title: "", description: null } : fields;
    const itself: ExportedRecord = {
      list: "issues",
      number: 0,
      record: { ...itemOf(kept, userOf), confidential, state },
    };
    if (confidential === true || number === 0) return [itself];
    return [
      itself,
      ...notesOf(fields, userOf).map((note): ExportedRecord => ({ list: "comments", number, record: note })),
    ];
  },
  merge_requests(fields, userOf) {
    const number = numberOf(fields);
    const itself: ExportedRecord = {
      list: "merge_requests",
      number: 0,
      record: mergeRequestOf(fields, userOf),
    };
    if (number === 0) return [itself];
    return [
      itself,
      { list: "reviews", number, record: approvalsOf(fields, userOf) },
      ...discussionsOf(fields, userOf).map((discussion): ExportedRecord => ({
        list: "line_comments",
        number,
        record: discussion,
      })),
    ];
  },
};

/** 0 for what cannot be read. */
function numberOf({ iid }: Fields): number {
  return typeof iid === "number" && Number.isInteger(iid) && iid > 0 && iid <= maxNumber ? iid : 0;
}

const maxNumber = 2_000_000_000;

function milestoneOf({ id, title, description, due_date, state, created_at }: Fields): object {
  return { id, title, description: bodyOf(description), due_date, state, created_at };
}

const maxOfOne = 100;

function itemOf(fields: Fields, userOf: UserOf): object {
  const { iid, title, created_at, updated_at, closed_at, discussion_locked } = fields;
  const named = (list: string, what: string) =>
    listOf(fields[list])
      .slice(0, maxOfOne)
      .map((each) => fieldsOf(each)[what]);
  const assignees = [...named("issue_assignees", "user_id"), ...named("merge_request_assignees", "user_id")];
  const milestone = textOf(fieldsOf(fields["milestone"])["title"]);
  return {
    iid,
    title,
    description: bodyOf(fields["description"]),
    author: userOf(fields["author_id"]),
    labels: named("label_links", "label").flatMap((label) => textOf(fieldsOf(label)["title"]) ?? []),
    assignees: assignees.flatMap((id) => userOf(id) ?? []),
    milestone: milestone === null ? null : { title: milestone },
    discussion_locked: discussion_locked === true,
    created_at,
    updated_at,
    closed_at: textOf(closed_at),
  };
}

const draftTitle = /^\s*(?:\[(?:draft|wip)\]|\((?:draft|wip)\)|(?:draft|wip)\s*:)/i;

function mergeRequestOf(fields: Fields, userOf: UserOf): object {
  const { state, source_branch, target_branch, source_project_id, target_project_id } = fields;
  const metrics = fieldsOf(fields["metrics"]);
  const diff = fieldsOf(fields["merge_request_diff"]);
  const ended = (is: string, at: unknown) => (state === is ? (textOf(at) ?? fields["updated_at"]) : null);
  return {
    ...itemOf(fields, userOf),
    state,
    draft: fields["draft"] === true || draftTitle.test(textOf(fields["title"]) ?? ""),
    source_branch,
    target_branch,
    source_project_id,
    target_project_id,
    sha: textOf(diff["head_commit_sha"]) ?? textOf(fields["diff_head_sha"]),
    merge_commit_sha: textOf(fields["merge_commit_sha"]),
    squash_commit_sha: textOf(fields["squash_commit_sha"]),
    closed_at: ended("closed", metrics["latest_closed_at"]) ?? ended("merged", metrics["merged_at"]),
    merged_at: ended("merged", metrics["merged_at"]),
  };
}
