/**
 * Every field of every request body, as the OpenAPI document names them, with what it must not take: other types, too long,
 * empty, characters that cannot be stored or that turn what stands beside them, and fields that nobody knows. Each is
 * refused with the field's name, without a stack, and nothing is changed. A new operation is tried by itself.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ApiAnswer } from "../support/api-server.ts";
import { badBodies, schemaReader } from "../support/bad-values.ts";
import { databaseState, type DatabaseState } from "../support/database-state.ts";
import { startExampleWorld, type ExampleWorld } from "../support/example-world.ts";
import { documentedOperations, openApi } from "../support/openapi-operations.ts";
import { isFull } from "../support/size.ts";

const reader = schemaReader(openApi);
const operations = documentedOperations.flatMap(({ body, ...each }) => (body ? [{ ...each, body }] : []));

/** Whose example names or proves what is not there, or comes at the wrong moment: what it may be refused with. */
const refusedExamples: Record<string, number[]> = {
  cancelPipeline: [404],
  cancelWork: [404],
  changePassword: [422],
  createPasskey: [422],
  createPasskeySession: [401],
  decideOAuthRequest: [422],
  decideApproval: [404],
  deleteContents: [404, 409],
  disableTwoFactor: [409],
  enableTwoFactor: [422],
  grantTeamRepository: [404],
  readOAuthRequest: [422],
  redeliverOrganizationWebhookDeliveries: [404],
  redeliverWebhookDeliveries: [404],
  testOrganizationWebhook: [404],
  openShell: [404],
  keepJobsOpen: [404],
  setMirror: [409],
  setTeamRouting: [422],
  createImport: [422],
  retryImport: [404],
  nameImportPerson: [404],
  previewMirror: [409],
  updateUpkeepSchedule: [404],
  testWebhook: [404],
  updateOrganizationWebhook: [404],
  updateWebhook: [404],
  updatePushMirror: [404],
  updateSchedule: [404],
  updateComment: [404],
  addIssueReaction: [404],
  createDiscussionIssue: [404, 422],
  transferIssue: [422],
  addCommentReaction: [404],
  addMergeRequestReaction: [404],
  addReviewReaction: [404],
  addDiscussionReaction: [404],
  addReplyReaction: [404],
  updateDiscussion: [404],
  createDiscussionReply: [404],
  updateDiscussionReply: [404],
  updateIssue: [404],
  updateNotification: [404],
  createIssueComment: [404],
  createMergeRequest: [422],
  updateMergeRequest: [404],
  mergeMergeRequest: [404],
  updateSourceBranch: [404],
  rebaseSourceBranch: [404],
  revertMergeRequest: [404],
  cherryPickMergeRequest: [404],
  addToMergeQueue: [404],
  moveInMergeQueue: [404],
  updateMergeQueue: [422],
  enableAutoMerge: [404],
  createMergeRequestComment: [404],
  setViewedFile: [404],
  setSeen: [404],
  applySuggestions: [404],
  resolveConflicts: [404],
  setMergeRequestDraft: [404],
  createReview: [404],
  updateReview: [404],
  submitReview: [404],
  dismissReview: [404],
  setReviewers: [404],
  createThread: [404],
  createThreadComment: [404],
  updateLabel: [404],
  updateBoard: [404],
  moveOnBoard: [404],
  updateSavedFilter: [404],
  updateSharedFilter: [404],
  updateMilestone: [404],
  syncFork: [409],
  setForkSchedule: [409],
  registerRunner: [401],
  renewRecoveryCodes: [409],
  rerunPipeline: [404],
  resetPassword: [422],
  setSso: [422],
  setOrganizationLimits: [409],
  updateBranchProtection: [404],
  updateEmail: [404],
  updateOAuthApp: [404],
  updateOrgOAuthApp: [404],
  drainRunner: [404],
  updateRunner: [404],
  updateRunnerGroup: [404],
  setRunnerGroupAccess: [404],
  updateTagProtection: [404],
  verifyEmail: [422],
};

let world: ExampleWorld;
let state: DatabaseState;
beforeAll(async () => {
  world = await startExampleWorld();
  state = await databaseState(world.server.database);
});
afterAll(async () => {
  await state?.close();
  await world?.stop();
});

function ask({ method, address }: (typeof operations)[number], body: unknown): Promise<ApiAnswer> {
  return world.server.api(method, address(), { token: world.ada.token, body: JSON.stringify(body) });
}

test("there are operations to try", () => {
  expect(operations.length).toBeGreaterThan(50);
});

/** Each field is tried with what is its own, and with a third of what no field takes, another third than the fields beside it. */
const isTried = (what: string, turn: number) =>
  isFull || /too long|nobody knows|^NUL$|a right-to-left/.test(what) || turn % 3 === 0;

describe.each(operations.map((each, turn) => [each.id, each, turn] as const))("%s", (_id, each, turn) => {
  const { schema, example } = each.body;

  test("refuses each field's bad values by the field's name, and changes nothing", async () => {
    const bad = badBodies(reader, schema, example);
    expect(bad.length).toBeGreaterThan(10);
    const wrong: unknown[] = [];
    for (const { what, field, body } of bad.filter(({ what }, at) => isTried(what, at + turn))) {
      const { status, text, json } = await ask(each, body);
      const fields = ((json?.errors ?? []) as { field: string }[]).map((error) => error.field);
      const isNamed = fields.some((name) => name === field || name.startsWith(`${field}.`));
      if (status !== 422 || !(isNamed || field === "") || text.includes("node_modules"))
        wrong.push({ field, what, status, fields, text: text.slice(0, 200) });
    }
    expect(wrong).toEqual([]);
    expect(await state.changed()).toEqual([]);
  });
});

describe("afterwards", () => {
  test.each(operations.map((each) => [each.id, each] as const))("%s takes its example", async (id, each) => {
    const { status, text } = await ask(each, each.body.example);
    // What nobody wrote an example for names things that are not there; its form is still right.
    const refused = refusedExamples[id] ?? (each.body.hasOwnExample ? [] : [401, 403, 404, 409, 422]);
    expect([status < 300 || refused.includes(status), status, text]).toEqual([true, status, text]);
  });
});
