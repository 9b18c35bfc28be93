/** What all pages of an organization stand in: its name, and its parts as links, of which each sees those that they may. */
import { Link, Outlet, useParams } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { $api } from "../../api/client.ts";
import { useSession } from "../../api/session.ts";
import { text } from "../../text/organizations.ts";
import { text as concurrency } from "../../text/concurrency.ts";
import { text as runners } from "../../text/runners.ts";
import { text as runStatistics } from "../../text/run-statistics.ts";
import { text as storage } from "../../text/storage.ts";
import { text as retention } from "../../text/retention.ts";
import { text as variables } from "../../text/variables.ts";
import { text as secrets } from "../../text/secrets.ts";
import { text as webhooks } from "../../text/webhooks.ts";
import { QueryView } from "../../ui/query-view.tsx";
import { SideLayout } from "../../ui/side-layout.tsx";
import type { TabLink } from "../../ui/tabs.tsx";
import styles from "./organization-layout.module.css";
import type { SeenOrganization } from "./use-organization.ts";

export function OrganizationLayout() {
  const { org = "" } = useParams();
  const session = useSession();
  const organization = $api.useQuery(
    "get",
    "/orgs/{org}",
    { params: { path: { org } } },
    { staleTime: 30_000 },
  );
  const own = $api.useQuery(
    "get",
    "/user/orgs",
    { params: { query: { per_page: 100 } } },
    { enabled: session !== null },
  );
  const isReady = session === null || own.data !== undefined;
  return (
    <QueryView
      query={{ data: isReady ? organization.data : undefined, error: organization.error ?? own.error }}
    >
      {(found) => {
        const role = own.data?.find(({ id }) => id === found.id)?.role ?? null;
        return (
          <>
            <Head organization={found} />
            <SideLayout label={text.parts} links={linksOf(found.name, role)}>
              <Outlet context={{ organization: found, role } satisfies SeenOrganization} />
            </SideLayout>
          </>
        );
      }}
    </QueryView>
  );
}

function Head({ organization: { name, display_name: full } }: { organization: Schemas["Organization"] }) {
  return (
    <div className={styles.head}>
      <Link to={`/orgs/${name}`}>{name}</Link>
      {full === "" || full === name ? null : <span className={styles.full}>{full}</span>}
    </div>
  );
}

function linksOf(name: string, role: SeenOrganization["role"]): TabLink[] {
  const base = `/orgs/${name}`;
  const forAll = [{ to: base, label: text.repositories, exact: true }];
  if (role === null) return forAll;
  const forMembers = [
    ...forAll,
    { to: `${base}/people`, label: text.people },
    { to: `${base}/teams`, label: text.teams },
  ];
  if (role === "member") return forMembers;
  return [
    ...forMembers,
    { to: `${base}/invitations`, label: text.invitations },
    { to: `${base}/bots`, label: text.bots },
    { to: `${base}/oauth-apps`, label: text.apps },
    { to: `${base}/sso`, label: text.sso },
    { to: `${base}/variables`, label: variables.title },
    { to: `${base}/secrets`, label: secrets.title },
    { to: `${base}/webhooks`, label: webhooks.title },
    { to: `${base}/runners`, label: runners.title },
    { to: `${base}/concurrency-groups`, label: concurrency.title },
    { to: `${base}/audit-log`, label: text.auditLog },
    { to: `${base}/retention`, label: retention.title },
    { to: `${base}/statistics`, label: runStatistics.title },
    { to: `${base}/storage`, label: storage.title },
    { to: `${base}/settings`, label: text.settings, exact: true },
  ];
}
