/** What owners do to their organization, and what the instance's administrators do to everybody. */
import { newId } from "@forgeline/server/platform/ids.ts";
import { scheduleIdOf, upkeepTaskNames } from "@forgeline/schemas/upkeep-schedules/workflow.ts";
import { statisticsWorkflowId, statisticsWorkflowName } from "@forgeline/schemas/statistics/workflow.ts";
import { callback } from "../../../../support/oauth.ts";
import type { Driver } from "./driver.ts";
import { changeReactions } from "./reactions.ts";
import { changeTeamRouting } from "./team-routing.ts";
import { changeVariables } from "./variables.ts";
import { changeSecrets } from "./secrets.ts";
import { changeWebhooks } from "./webhooks.ts";

export interface Cast {
  admin: string;
  ada: string;
  ben: string;
}

async function people({ change }: Driver, { ada, ben, admin }: Cast): Promise<void> {
  const invite = (username: string) =>
    change("createInvitation", { by: ada, path: { org: "acme" }, body: { username } });
  await change("acceptInvitation", { by: ben, path: { id: (await invite("ben")).json.id } });
  const member = { org: "acme", username: "ben" };
  await change("setOrganizationMember", { by: ada, path: member, body: { role: "owner" } });
  await change("removeOrganizationMember", { by: ada, path: member });
  await change("declineInvitation", { by: ben, path: { id: (await invite("ben")).json.id } });
  await change("revokeInvitation", { by: ada, path: { org: "acme", id: (await invite("ben")).json.id } });
  // Only who administers the instance puts somebody in without being asked.
  await change("setOrganizationMember", { by: admin, path: member, body: { role: "member" } });
}

async function teams(driver: Driver, cast: Cast): Promise<void> {
  const { ada, admin } = cast;
  const { change, server } = driver;
  const org = { org: "acme" };
  await server.api("POST", "/repos", { token: ada, body: { name: "shared", owner: "acme" } });
  await changeWebhooks(driver, { by: ada, noun: "OrganizationWebhook", place: org });
  await changeVariables(driver, { by: ada, noun: "OrganizationVariable", place: org });
  await changeVariables(driver, { by: admin, noun: "InstanceVariable", place: {} });
  await change("setOrganizationRetention", { by: ada, path: org, body: { logs_days: 30 } });
  await changeSecrets(driver, { by: ada, noun: "OrganizationSecret", place: org });
  await changeSecrets(driver, { by: admin, noun: "InstanceSecret", place: {} });
  const shared = { owner: "acme", repo: "shared" };
  await change("allowPrivilegedJobs", { by: admin, path: shared });
  await change("refusePrivilegedJobs", { by: admin, path: shared });
  await change("createTeam", { by: ada, path: org, body: { name: "core" } });
  const team = { ...org, team: "core" };
  await change("updateTeam", { by: ada, path: team, body: { description: "all of it" } });
  for (const role of ["member", "maintainer"])
    await change("setTeamMember", { by: ada, path: { ...team, username: "ben" }, body: { role } });
  await discussions(driver, cast);
  await changeTeamRouting(driver, { by: ada, path: team });
  await change("removeTeamMember", { by: ada, path: { ...team, username: "ben" } });
  for (const permission of ["read", "write"])
    await change("grantTeamRepository", { by: ada, path: { ...team, repo: "shared" }, body: { permission } });
  await change("revokeTeamRepository", { by: ada, path: { ...team, repo: "shared" } });
  await change("deleteTeam", { by: ada, path: team });
}

/** Of ben, who is in the team; ada removes them. */
async function discussions(driver: Driver, { ada, ben }: Cast): Promise<void> {
  const { change } = driver;
  const team = { org: "acme", team: "core" };
  const { number } = (await change("createDiscussion", { by: ben, path: team, body: { title: "On call" } }))
    .json as { number: number };
  const path = { ...team, number: String(number) };
  await change("updateDiscussion", { by: ben, path, body: { body: "Who?" } });
  for (const operation of ["pinDiscussion", "unpinDiscussion", "lockDiscussion", "unlockDiscussion"])
    await change(operation, { by: ada, path });
  const { id } = (await change("createDiscussionReply", { by: ben, path, body: { body: "I do." } })).json as {
    id: string;
  };
  await change("updateDiscussionReply", { by: ben, path: { ...path, id }, body: { body: "I do not." } });
  await change("createDiscussionIssue", { by: ada, path, body: { repository: "acme/shared" } });
  await changeReactions(driver, ben, { text: "Discussion", path });
  await changeReactions(driver, ben, { text: "Reply", path: { ...path, id } });
  await change("deleteDiscussionReply", { by: ada, path: { ...path, id } });
  await change("deleteDiscussion", { by: ada, path });
}

async function machines({ change }: Driver, { ada }: Cast): Promise<void> {
  const org = { org: "acme" };
  const scopes = ["repo:read", "repo:write"];
  await change("createOrganizationRunnerRegistrationToken", { by: ada, path: org, body: {} });
  const group = await change("createOrganizationRunnerGroup", { by: ada, path: org, body: { name: "own" } });
  const ofGroup = { by: ada, path: { id: group.json.id as string } };
  await change("updateRunnerGroup", { ...ofGroup, body: { name: "ours" } });
  await change("setRunnerGroupAccess", { ...ofGroup, body: { access: "selected" } });
  await change("deleteRunnerGroup", ofGroup);
  await change("createBot", { by: ada, path: org, body: { name: "robo", scopes } });
  const { id } = (await change("createAuditExport", { by: ada, path: org, body: { format: "csv" } }))
    .json as { id: string };
  await change("deleteAuditExport", { by: ada, path: { ...org, id } });
  const stream = { url: "https://siem.example.com/", token: "token-of-the-stream", enabled: false };
  await change("setAuditStream", { by: ada, path: org, body: stream });
  await change("testAuditStream", { by: ada, path: org });
  await change("deleteAuditStream", { by: ada, path: org });
  const bot = { ...org, bot: "robo" };
  await change("updateBot", { by: ada, path: bot, body: { display_name: "Robo" } });
  const body = { name: "x", scopes: ["repo:read"] };
  const token = await change("createBotToken", { by: ada, path: bot, body });
  await change("revokeBotToken", { by: ada, path: { ...bot, id: token.json.id } });
  await change("deleteBot", { by: ada, path: bot });
  const app = { name: "CI", redirect_uris: [callback], scopes: ["repo:read"] };
  const path = { ...org, id: (await change("createOrgOAuthApp", { by: ada, path: org, body: app })).json.id };
  await change("updateOrgOAuthApp", { by: ada, path, body: { name: "CD" } });
  await change("rotateOrgOAuthAppSecret", { by: ada, path });
  await change("deleteOrgOAuthApp", { by: ada, path });
}

export async function changeOrganization(driver: Driver, cast: Cast): Promise<void> {
  const { change } = driver;
  await change("createOrganization", { by: cast.ada, body: { name: "acme" } });
  await change("updateOrganization", { by: cast.ada, path: { org: "acme" }, body: { description: "We" } });
  await people(driver, cast);
  await teams(driver, cast);
  await machines(driver, cast);
  await change("createOrganization", { by: cast.ada, body: { name: "short" } });
  await change("deleteOrganization", { by: cast.ada, path: { org: "short" } });
}

async function backgroundWork({ change, server }: Driver, { admin }: Cast): Promise<void> {
  const { temporal } = server.container.platform;
  const { config } = server.container;
  // Servers of other tests may share this Temporal.
  const id = statisticsWorkflowId(newId("repo"));
  const { taskQueue } = config.temporal;
  await temporal.client.workflow.start(statisticsWorkflowName, { taskQueue, workflowId: id, args: [{}] });
  const end = { by: admin, path: { id }, body: { force: true } };
  await change("cancelWork", end);
  await change("retryWork", { by: admin, path: { id } });
  await change("cancelWork", end);
}

async function schedules({ change, server }: Driver, { admin }: Cast): Promise<void> {
  const { temporal } = server.container.platform;
  const { taskQueue } = server.container.config.temporal;
  await server.container.upkeep.upkeepSchedules.keep();
  const named = { by: admin, path: { schedule: "remove_old_events" } };
  await change("updateUpkeepSchedule", { ...named, body: { paused: true } });
  await change("updateUpkeepSchedule", { ...named, body: { paused: false } });
  await change("runUpkeepSchedule", named);
  for (const name of upkeepTaskNames)
    await temporal.client.schedule.getHandle(scheduleIdOf(name, taskQueue)).delete();
}

export async function administer(driver: Driver, cast: Cast): Promise<void> {
  const { change } = driver;
  const { admin } = cast;
  await backgroundWork(driver, cast);
  await schedules(driver, cast);
  const org = { org: "acme" };
  const ben = { username: "ben" };
  const made = (await change("createInstanceAuditExport", { by: admin, body: { format: "csv" } })).json as {
    id: string;
  };
  await change("deleteInstanceAuditExport", { by: admin, path: { id: made.id } });
  const stream = { url: "https://siem.example.com/", token: "token-of-the-stream", enabled: false };
  await change("setInstanceAuditStream", { by: admin, body: stream });
  await change("setInstanceAuditStream", { by: admin, body: { token: "another-token" } });
  await change("testInstanceAuditStream", { by: admin });
  await change("deleteInstanceAuditStream", { by: admin });
  await change("rotateKey", { by: admin });
  await change("rotateIdTokenKeys", { by: admin, body: { withdraw_earlier: true } });
  const announcement = await change("createAnnouncement", { by: admin, body: { message: "Down at ten" } });
  await change("deleteAnnouncement", { by: admin, path: { id: announcement.json.id } });
  await change("setOrganizationPlan", { by: admin, path: org, body: { plan: "free" } });
  await change("setOrganizationPlan", { by: admin, path: org, body: { plan: "enterprise" } });
  await change("setOrganizationLimits", { by: admin, path: org, body: { core: 6000 } });
  await change("setPipelineLimits", { by: admin, body: { jobs: 400 } });
  await change("setOrganizationPipelineLimits", { by: admin, path: org, body: { jobs: 600 } });
  await change("setUserLimits", { by: admin, path: ben, body: { core: 6000 } });
  await change("setLfsQuota", { by: admin, path: { owner: "acme" }, body: { limit_bytes: 5e11 } });
  await change("updateAdministeredUser", { by: admin, path: ben, body: { plan: "free" } });
  for (const suspended of [true, false])
    await change("updateAdministeredUser", { by: admin, path: ben, body: { suspended } });
  await change("suspendUser", { by: admin, path: ben });
  await change("unsuspendUser", { by: admin, path: ben });
  await change("updateInstanceSettings", { by: admin, body: { sign_up: "closed" } });
}
