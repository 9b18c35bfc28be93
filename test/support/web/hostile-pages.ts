/** Every page of the interface, of an instance as `hostile-world.ts` makes it. */
import { picturedPages } from "../../../scripts/screenshots/pages.ts";
import { evilRef, type HostileWorld } from "./hostile-world.ts";

const ref = encodeURIComponent(evilRef);
const below = (base: string, names: string) => names.split(" ").map((name) => base + name);

/** Those on which something stands that users have called `evil`. */
export function pagesWithNames({
  runPath,
  announcementId,
  runnerId,
  testId,
  boardId,
}: HostileWorld): string[] {
  return [
    runPath,
    ...below(
      "",
      `/ada /acme/empty /notifications /search/issues?q=is:open /search/merge-requests?q=is:open /orgs /runners /runners/${runnerId}`,
    ),
    ...below("/ada/code", " /commits/main /branches /tags /pipelines /pipelines/1"),
    ...below("/ada/code/environments", " /staging /staging/variables /staging/secrets"),
    ...below("/ada/runs/environments", "/production"),
    ...below("/ada/code", "/labels /milestones /boards /issues /issues/1"),
    ...below(
      "/ada/code/merge-requests",
      ` /2 /2/commits /2/files /2/conflicts /new?source=${ref}&target=main`,
    ),
    `/ada/code/merge-queue?branch=${ref}`,
    `/ada/code/boards/${boardId}`,
    "/ada/runs/caches",
    ...below("/ada/runs/pipelines", `/concurrency /search?q=onerror /tests /tests/${testId}`),
    ...below("/ada/code", `/tree/${ref}/docs /compare/main...${ref} /blob/main/.forgeline.yml`),
    ...below("/ada/code/settings", "/branches /tags /deploy-keys /variables /secrets"),
    ...below("/settings", "/tokens /keys /oauth-apps"),
    ...below(
      "/orgs/acme",
      "/teams/core /teams/core/discussions /teams/core/discussions/1 /bots /oauth-apps /variables /secrets",
    ),
    ...below(
      "/-/admin",
      `/secrets /users /users/ada /variables /announcements /announcements/${announcementId}`,
    ),
  ];
}

/** Those of the screenshots among them. */
export function otherPages(world: HostileWorld): string[] {
  const named = new Set(pagesWithNames(world));
  const all = [
    ...picturedPages("ada/code").map(({ path }) => path),
    consentPath(world),
    ...below(
      "",
      "/bob /-/no-such-page /new/organization /new/import /-/imports /-/deleted/ada/none /ada/code/issues/new",
    ),
    ...below("", "/-/forgotten-password /-/verify-email /reset-password"),
    ...below("/ada/code", `/tree/${ref} /blob/${ref}/README.md /blame/${ref}/src/answer.ts /new/main`),
    ...below("/ada/code", "/commits /compare /sync /transfer /environments/staging/secrets/KEY"),
    "/ada/runs/pipelines/coverage",
    "/ada/runs/pipelines/statistics",
    ...below("/ada/code", `/commit/${world.code.change} /edit/${ref}/src/answer.ts`),
    ...below(
      "/ada/code/settings",
      "/collaborators /trusted-authors /mirror /push-mirrors /schedules /retention /secrets/KEY /webhooks /runners /storage /transfer /imports",
    ),
    ...below(
      "/settings",
      "/emails /notifications /password /two-factor /passkeys /sessions /tokens/new /gpg-keys /imported-texts",
    ),
    ...below("/settings", "/invitations /grants /oauth-apps/new /sso"),
    ...below(
      "/orgs/acme",
      " /oauth-apps/new /people /teams /teams/core/discussions/new /teams/core/routing /invitations /sso /secrets/KEY /webhooks /runners /concurrency-groups /audit-log /audit-log/exports /audit-log/stream /retention /statistics /storage /settings",
    ),
    ...below(
      "/-/admin",
      "/organizations /organizations/acme /statistics /storage /maintenance /secrets/KEY /privileged-jobs /pipeline-limits /keys /mails /audit-log /audit-log/exports /audit-log/stream /settings",
    ),
    ...world.mailIds.slice(0, 2).map((id) => `/-/admin/mails/${id}`),
  ];
  return all.filter((path) => !named.has(path));
}

/** Where somebody is asked whether an app may act for them. */
export function consentPath({ clientId }: HostileWorld): string {
  const query = new URLSearchParams({
    response_type: "code",
    client_id: clientId,
    redirect_uri: "https://client.example/callback",
    scope: "repo:read",
  });
  return `/oauth/authorize?${query.toString()}`;
}
