/** Every record that has an address has all that records have; said of the document, so that a new record cannot forget it. */
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";

interface ObjectSchema {
  properties?: Record<string, unknown>;
  required?: string[];
}

const document = JSON.parse(await readFile("schemas/generated/openapi.json", "utf8")) as {
  components: { schemas: Record<string, ObjectSchema> };
};
/**
 * With an address of their own, but not stored: a ticket is used up at once. An owner is a pointer to a record. What lies
 * at a path of a commit, or between two commits, is a view of Git's objects. Work and schedules are Temporal's, which tells begin and end. An
 * organization in the body of a delivery points to its record, and so do the runs that a run started, and that started it; so does what another issue or merge request names. What is sent to make or change a webhook, or a stream, has an address of its own.
 */
const notRecords = new Set([
  "LogStreamTicket",
  "Shell",
  "RepositoryOwner",
  "ContentsEntry",
  "FileContents",
  "Comparison",
  "Work",
  "WorkDetail",
  "UpkeepSchedule",
  "MirrorPreviewRequest",
  "MirrorSet",
  "PushMirrorCreate",
  "PushMirrorUpdate",
  "AuditStreamSet",
  "WebhookCreate",
  "WebhookOrganization",
  "WebhookUpdate",
  "ParentRun",
  "ChildRun",
  "NamedItem",
]);
const records = Object.entries(document.components.schemas).filter(
  ([name, { properties }]) => properties && "url" in properties && !notRecords.has(name),
);

test.each(records)("%s has id, url, web_url, created_at and updated_at", (_name, { required }) => {
  expect(required).toEqual(expect.arrayContaining(["id", "url", "web_url", "created_at", "updated_at"]));
});

test("the records of the main job are among them", () => {
  const names = records.map(([name]) => name);
  expect(names).toEqual(
    expect.arrayContaining([
      "AccessToken",
      "OwnUser",
      "Pipeline",
      "RegistrationToken",
      "Repository",
      "Runner",
    ]),
  );
});
