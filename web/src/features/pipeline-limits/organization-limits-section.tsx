/** What pipelines may have at most in the repositories of an organization, as administrators of the instance set it. */
import { api, $api } from "../../api/client.ts";
import { text } from "../../text/pipeline-limits.ts";
import { Section } from "../../ui/page.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { LimitsDocs } from "./limits-docs.tsx";
import { LimitsForm } from "./limits-form.tsx";

export function OrganizationLimitsSection({ org }: { org: string }) {
  const params = { path: { org } };
  const query = $api.useQuery("get", "/admin/organizations/{org}/pipeline-limits", { params });
  return (
    <Section title={text.title} lead={text.ofOrganization}>
      <LimitsDocs />
      <QueryView query={query}>
        {({ limits }) => (
          <LimitsForm
            limits={limits}
            level="organization"
            set={(body) => api.PUT("/admin/organizations/{org}/pipeline-limits", { params, body })}
          />
        )}
      </QueryView>
    </Section>
  );
}
