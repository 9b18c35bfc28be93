/** All organizations of the instance, their plans and their limits. */
import { Link, useParams } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api, $api } from "../../api/client.ts";
import { usePages } from "../../api/use-pages.ts";
import { text } from "../../text/administration.ts";
import { ChoiceInRow } from "../../ui/choice-in-row.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Page } from "../../ui/page.tsx";
import { PagedTable } from "../../ui/paged-table.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { OrganizationLimitsSection } from "../pipeline-limits/organization-limits-section.tsx";
import { LfsQuotaSection, useLfsQuota } from "./lfs-quota-section.tsx";
import { LimitsSection } from "./limits-section.tsx";
import { SearchForm, useSearched } from "./search-form.tsx";

export function AdminOrganizationsPage() {
  const searched = useSearched();
  const pages = usePages(["admin-organizations", searched], (page) =>
    api.GET("/admin/organizations", { params: { query: { ...page, ...searched } } }),
  );
  return (
    <Page title={text.organizations} within={text.administration} lead={text.organizationsLead}>
      <SearchForm hint={text.organizationsHint} />
      <PagedTable
        pages={pages}
        caption={text.organizations}
        keyOf={({ id }) => id}
        empty={<EmptyState title={text.noOrganizations} />}
        columns={[
          { title: text.name, wide: true, cell: ({ name }) => <Link to={`/orgs/${name}`}>{name}</Link> },
          { title: text.plan, cell: (organization) => <Plan organization={organization} /> },
          {
            title: text.limits,
            cell: ({ name }) => <Link to={`/-/admin/organizations/${name}`}>{text.limitsOf(name)}</Link>,
          },
        ]}
      />
    </Page>
  );
}

function Plan({ organization: { name, plan } }: { organization: Schemas["Organization"] }) {
  return (
    <ChoiceInRow
      label={text.planOf(name)}
      value={plan}
      choices={text.plans}
      said={text.saved}
      run={(value) =>
        api.PUT("/admin/organizations/{org}/plan", {
          params: { path: { org: name } },
          body: { plan: value as Schemas["Organization"]["plan"] },
        })
      }
    />
  );
}

export function OrganizationLimitsPage() {
  const { org = "" } = useParams();
  return (
    <Page title={text.limitsOf(org)} within={text.organizations}>
      <QueryView query={useLfsQuota(org)}>
        {(quota) => (
          <>
            <LfsQuotaSection quota={quota} />
            {/* Of other plans they are fixed. */}
            {quota.plan === "enterprise" ? <RateLimits org={org} /> : null}
            <OrganizationLimitsSection org={org} />
          </>
        )}
      </QueryView>
    </Page>
  );
}

function RateLimits({ org }: { org: string }) {
  const path = { org };
  const limits = $api.useQuery("get", "/admin/organizations/{org}/limits", { params: { path } });
  return (
    <QueryView query={limits}>
      {(found) => (
        <LimitsSection
          limits={found.limits}
          save={(body) => api.PUT("/admin/organizations/{org}/limits", { params: { path }, body })}
        />
      )}
    </QueryView>
  );
}
